/* CIL-like output: one operation per statement, many temporaries, explicit casts, while(1) and goto for loops. */
typedef unsigned long size_t;
typedef unsigned char u8___0;
struct __anonstruct_buf_1 { unsigned char *data ; size_t len ; int refs ; };
typedef struct __anonstruct_buf_1 buf_t;
extern int ( /* missing proto */ printf)(char const   * __restrict  __format , ...) ;
extern void *malloc(size_t __size )  __attribute__((__nothrow__, __malloc__)) ;
extern void free(void *__ptr )  __attribute__((__nothrow__)) ;
static int errors   = 0;
static unsigned int table[16]  = { 0U, 1U, 4U, 9U, 16U, 25U, 36U};

static int check(int cond ) 
{ 
  int tmp ;

  {
  if (! cond) {
    {
    errors ++;
    tmp = errors;
    }
    return (tmp);
  } else {

  }
  return (0);
}
}
static buf_t *make(size_t n ) 
{ buf_t *b ;
  void *tmp ;
  void *tmp___0 ;
  size_t i ;
  unsigned char *mem_5 ;
  buf_t *mem_6 ;

  {
  {
  tmp = malloc((size_t )sizeof(buf_t ));
  b = (buf_t *)tmp;
  }
  if ((unsigned long )b == (unsigned long )((buf_t *)0)) {
    return ((buf_t *)((void *)0));
  } else {

  }
  {
  tmp___0 = malloc(n);
  mem_6 = b;
  mem_6->data = (unsigned char *)tmp___0;
  b->len = n;
  b->refs = 1;
  i = (size_t )0;
  }
  {
  while (1) {
    while_continue: /* CIL Label */ ;
    if (i < n) {

    } else {
      goto while_break;
    }
    mem_5 = b->data + i;
    *mem_5 = (unsigned char )((unsigned long )(i * 7UL) & 255UL);
    i += (size_t )1;
  }
  while_break: /* CIL Label */ ;
  }
  return (b);
}
}
static unsigned int digest(buf_t const   *b , int rounds ) 
{ unsigned int h ;
  unsigned int tmp ;
  int r ;
  size_t i ;
  unsigned int tmp___0 ;
  unsigned int tmp___1 ;
  int tmp___2 ;
  unsigned char __cil_tmp9 ;
  unsigned int __cil_tmp10 ;
  unsigned int __cil_tmp11 ;
  unsigned int __cil_tmp12 ;
  unsigned int __cil_tmp13 ;
  unsigned long __cil_tmp14 ;
  unsigned long __cil_tmp15 ;

  {
  h = 2166136261U;
  r = 0;
  {
  while (1) {
    while_continue: /* CIL Label */ ;
    if (! (r < rounds)) {
      goto while_break;
    } else {

    }
    i = (size_t )0;
    {
    while (1) {
      while_continue___0: /* CIL Label */ ;
      if (! (i < (size_t )b->len)) {
        goto while_break___0;
      } else {

      }
      __cil_tmp9 = *(b->data + i);
      __cil_tmp10 = (unsigned int )__cil_tmp9;
      __cil_tmp11 = h ^ __cil_tmp10;
      h = __cil_tmp11 * 16777619U;
      if ((int )__cil_tmp9 & 1) {
        __cil_tmp14 = (unsigned long )__cil_tmp9;
        __cil_tmp15 = __cil_tmp14 % 16UL;
        tmp = table[__cil_tmp15];
        tmp___0 = tmp;
      } else {
        __cil_tmp12 = h >> 28;
        __cil_tmp13 = __cil_tmp12 & 7U;
        tmp___0 = __cil_tmp13;
      }
      h += tmp___0;
      i ++;
    }
    while_break___0: /* CIL Label */ ;
    }
    if (h > 2147483647U) {
      if (r % 2 == 0) {
        tmp___2 = 1;
      } else {
        tmp___2 = 0;
      }
    } else {
      tmp___2 = 0;
    }
    if (tmp___2) {
      tmp___1 = h >> 1;
      h = tmp___1;
    } else {

    }
    r ++;
  }
  while_break: /* CIL Label */ ;
  }
  return (h);
}
}
static int dispatch(int op , int x ) 
{ int result ;

  {
  {
  if (op == 0) {
    goto case_0;
  } else {

  }
  if (op == 1) {
    goto case_1;
  } else {

  }
  if (op == 2) {
    goto case_2;
  } else {

  }
  goto switch_default;
  case_0: /* CIL Label */ 
  result = x + 1;
  goto switch_break;
  case_1: /* CIL Label */ 
  x *= 2;
  case_2: /* CIL Label */ 
  result = x - 3;
  goto switch_break;
  switch_default: /* CIL Label */ 
  {
  check(0);
  result = -1;
  }
  switch_break: /* CIL Label */ ;
  }
  return (result);
}
}
int main(void) 
{ buf_t *b ;
  buf_t *tmp ;
  unsigned int d ;
  int i ;
  int acc ;
  int tmp___0 ;
  int tmp___1 ;
  int __cil_tmp8 ;
  unsigned int __cil_tmp9 ;

  {
  {
  tmp = make(40UL);
  b = tmp;
  acc = 0;
  i = 0;
  }
  {
  while (1) {
    while_continue: /* CIL Label */ ;
    if (i < 6) {

    } else {
      goto while_break;
    }
    {
    d = digest((buf_t const   *)b, i);
    tmp___0 = dispatch(i % 4, i * 10);
    acc += tmp___0;
    printf((char const   * __restrict  )"%d %u %d\n", i, d, tmp___0);
    __cil_tmp8 = acc >= i;
    tmp___1 = check(__cil_tmp8);
    i ++;
    }
  }
  while_break: /* CIL Label */ ;
  }
  {
  printf((char const   * __restrict  )"%d %d %d\n", acc, errors, tmp___1);
  free((void *)b->data);
  free((void *)b);
  __cil_tmp9 = (unsigned int )errors;
  }
  return ((int )(__cil_tmp9 & 255U));
}
}
