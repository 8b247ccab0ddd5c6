struct n { int key; struct n; struct n b; struct n c[2]; }; int f(struct n*p){return p->zz + p->b.zz;} int main(void){return sizeof(struct n);}
