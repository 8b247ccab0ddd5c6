/* Flattened code with hundreds of temporaries: unsigned and signed mixes, forward gotos, one outer loop. */
extern int printf(char const *__restrict __format , ...) ;
static int counter   = 0;
static unsigned int mem[8]  = { 3U, 1U, 4U, 1U, 5U, 9U, 2U, 6U};
static unsigned int step(unsigned int in )
{
  unsigned long tmp___0 ;
  unsigned char tmp___1 ;
  int tmp___2 ;
  unsigned int tmp___3 ;
  unsigned int tmp___4 ;
  signed char tmp___5 ;
  unsigned int tmp___6 ;
  unsigned long tmp___7 ;
  unsigned int tmp___8 ;
  signed char tmp___9 ;
  unsigned short tmp___10 ;
  unsigned int tmp___11 ;
  unsigned int tmp___12 ;
  int tmp___13 ;
  int tmp___14 ;
  unsigned int tmp___15 ;
  unsigned short tmp___16 ;
  unsigned int tmp___17 ;
  signed char tmp___18 ;
  int tmp___19 ;
  unsigned int tmp___20 ;
  unsigned int tmp___21 ;
  unsigned short tmp___22 ;
  unsigned int tmp___23 ;
  int tmp___24 ;
  unsigned int tmp___25 ;
  unsigned short tmp___26 ;
  unsigned int tmp___27 ;
  signed char tmp___28 ;
  unsigned char tmp___29 ;
  long long tmp___30 ;
  int tmp___31 ;
  unsigned char tmp___32 ;
  signed char tmp___33 ;
  unsigned int tmp___34 ;
  long long tmp___35 ;
  signed char tmp___36 ;
  unsigned char tmp___37 ;
  unsigned int tmp___38 ;
  unsigned short tmp___39 ;
  unsigned long tmp___40 ;
  unsigned int tmp___41 ;
  signed char tmp___42 ;
  unsigned int tmp___43 ;
  unsigned int tmp___44 ;
  unsigned short tmp___45 ;
  short tmp___46 ;
  signed char tmp___47 ;
  int tmp___48 ;
  unsigned long tmp___49 ;
  short tmp___50 ;
  short tmp___51 ;
  unsigned long tmp___52 ;
  long long tmp___53 ;
  unsigned short tmp___54 ;
  unsigned char tmp___55 ;
  unsigned short tmp___56 ;
  unsigned int tmp___57 ;
  long long tmp___58 ;
  signed char tmp___59 ;
  short tmp___60 ;
  unsigned long tmp___61 ;
  short tmp___62 ;
  long long tmp___63 ;
  unsigned int tmp___64 ;
  unsigned int tmp___65 ;
  signed char tmp___66 ;
  int tmp___67 ;
  unsigned char tmp___68 ;
  unsigned long tmp___69 ;
  unsigned char tmp___70 ;
  short tmp___71 ;
  int tmp___72 ;
  unsigned int tmp___73 ;
  unsigned int tmp___74 ;
  signed char tmp___75 ;
  unsigned long tmp___76 ;
  unsigned long tmp___77 ;
  unsigned long tmp___78 ;
  short tmp___79 ;
  short tmp___80 ;
  unsigned int tmp___81 ;
  unsigned int tmp___82 ;
  long long tmp___83 ;
  short tmp___84 ;
  unsigned int tmp___85 ;
  unsigned int tmp___86 ;
  long long tmp___87 ;
  short tmp___88 ;
  long long tmp___89 ;
  int tmp___90 ;
  unsigned long tmp___91 ;
  unsigned int tmp___92 ;
  short tmp___93 ;
  unsigned long tmp___94 ;
  unsigned char tmp___95 ;
  unsigned int tmp___96 ;
  short tmp___97 ;
  unsigned int tmp___98 ;
  unsigned short tmp___99 ;
  long long tmp___100 ;
  unsigned char tmp___101 ;
  unsigned short tmp___102 ;
  int tmp___103 ;
  int tmp___104 ;
  short tmp___105 ;
  unsigned int tmp___106 ;
  unsigned char tmp___107 ;
  short tmp___108 ;
  int tmp___109 ;
  signed char tmp___110 ;
  long long tmp___111 ;
  unsigned char tmp___112 ;
  int tmp___113 ;
  signed char tmp___114 ;
  long long tmp___115 ;
  int tmp___116 ;
  unsigned long tmp___117 ;
  int tmp___118 ;
  unsigned short tmp___119 ;
  unsigned char tmp___120 ;
  unsigned int tmp___121 ;
  unsigned char tmp___122 ;
  unsigned char tmp___123 ;
  unsigned short tmp___124 ;
  unsigned short tmp___125 ;
  unsigned int tmp___126 ;
  short tmp___127 ;
  unsigned char tmp___128 ;
  long long tmp___129 ;
  long long tmp___130 ;
  unsigned int tmp___131 ;
  unsigned char tmp___132 ;
  int tmp___133 ;
  signed char tmp___134 ;
  unsigned long tmp___135 ;
  unsigned long tmp___136 ;
  unsigned char tmp___137 ;
  signed char tmp___138 ;
  unsigned int tmp___139 ;
  short tmp___140 ;
  signed char tmp___141 ;
  int tmp___142 ;
  int tmp___143 ;
  int tmp___144 ;
  int tmp___145 ;
  unsigned int tmp___146 ;
  short tmp___147 ;
  int tmp___148 ;
  unsigned int tmp___149 ;
  unsigned short tmp___150 ;
  unsigned int tmp___151 ;
  unsigned short tmp___152 ;
  short tmp___153 ;
  unsigned char tmp___154 ;
  unsigned int tmp___155 ;
  unsigned long tmp___156 ;
  unsigned int tmp___157 ;
  unsigned int tmp___158 ;
  unsigned int tmp___159 ;
  unsigned char tmp___160 ;
  signed char tmp___161 ;
  unsigned int tmp___162 ;
  unsigned long tmp___163 ;
  unsigned int tmp___164 ;
  unsigned int tmp___165 ;
  unsigned short tmp___166 ;
  int tmp___167 ;
  unsigned char tmp___168 ;
  long long tmp___169 ;
  unsigned long tmp___170 ;
  unsigned long tmp___171 ;
  short tmp___172 ;
  unsigned int tmp___173 ;
  unsigned int tmp___174 ;
  short tmp___175 ;
  short tmp___176 ;
  short tmp___177 ;
  short tmp___178 ;
  long long tmp___179 ;
  unsigned int tmp___180 ;
  unsigned char tmp___181 ;
  unsigned int tmp___182 ;
  unsigned long tmp___183 ;
  long long tmp___184 ;
  short tmp___185 ;
  unsigned char tmp___186 ;
  signed char tmp___187 ;
  unsigned int tmp___188 ;
  unsigned short tmp___189 ;
  signed char tmp___190 ;
  unsigned long tmp___191 ;
  unsigned char tmp___192 ;
  signed char tmp___193 ;
  unsigned int tmp___194 ;
  signed char tmp___195 ;
  long long tmp___196 ;
  unsigned int tmp___197 ;
  long long tmp___198 ;
  signed char tmp___199 ;
  unsigned long tmp___200 ;
  unsigned char tmp___201 ;
  unsigned long tmp___202 ;
  unsigned short tmp___203 ;
  signed char tmp___204 ;
  signed char tmp___205 ;
  signed char tmp___206 ;
  unsigned long tmp___207 ;
  unsigned short tmp___208 ;
  unsigned short tmp___209 ;
  unsigned short tmp___210 ;
  int tmp___211 ;
  unsigned short tmp___212 ;
  unsigned short tmp___213 ;
  signed char tmp___214 ;
  short tmp___215 ;
  unsigned long tmp___216 ;
  unsigned int tmp___217 ;
  unsigned int tmp___218 ;
  long long tmp___219 ;
  short tmp___220 ;
  long long tmp___221 ;
  unsigned short tmp___222 ;
  unsigned long tmp___223 ;
  short tmp___224 ;
  unsigned long tmp___225 ;
  unsigned long tmp___226 ;
  unsigned int tmp___227 ;
  unsigned short tmp___228 ;
  unsigned int tmp___229 ;
  unsigned short tmp___230 ;
  short tmp___231 ;
  unsigned short tmp___232 ;
  unsigned long tmp___233 ;
  unsigned short tmp___234 ;
  short tmp___235 ;
  unsigned int tmp___236 ;
  short tmp___237 ;
  unsigned long tmp___238 ;
  unsigned int tmp___239 ;
  unsigned int tmp___240 ;
  int tmp___241 ;
  unsigned short tmp___242 ;
  short tmp___243 ;
  unsigned char tmp___244 ;
  int tmp___245 ;
  unsigned long tmp___246 ;
  unsigned int tmp___247 ;
  int tmp___248 ;
  short tmp___249 ;
  int tmp___250 ;
  unsigned int tmp___251 ;
  unsigned char tmp___252 ;
  unsigned char tmp___253 ;
  unsigned char tmp___254 ;
  unsigned int tmp___255 ;
  unsigned char tmp___256 ;
  short tmp___257 ;
  unsigned char tmp___258 ;
  short tmp___259 ;
  unsigned long tmp___260 ;
  unsigned char tmp___261 ;
  signed char tmp___262 ;
  signed char tmp___263 ;
  unsigned char tmp___264 ;
  unsigned int tmp___265 ;
  unsigned int tmp___266 ;
  unsigned int tmp___267 ;
  signed char tmp___268 ;
  unsigned char tmp___269 ;
  int tmp___270 ;
  unsigned short tmp___271 ;
  unsigned short tmp___272 ;
  unsigned int tmp___273 ;
  long long tmp___274 ;
  unsigned short tmp___275 ;
  long long tmp___276 ;
  signed char tmp___277 ;
  unsigned short tmp___278 ;
  unsigned long tmp___279 ;
  long long tmp___280 ;
  signed char tmp___281 ;
  int tmp___282 ;
  unsigned char tmp___283 ;
  unsigned int tmp___284 ;
  unsigned long tmp___285 ;
  short tmp___286 ;
  signed char tmp___287 ;
  int tmp___288 ;
  signed char tmp___289 ;
  unsigned char tmp___290 ;
  signed char tmp___291 ;
  unsigned char tmp___292 ;
  signed char tmp___293 ;
  signed char tmp___294 ;
  unsigned int tmp___295 ;
  short tmp___296 ;
  unsigned char tmp___297 ;
  unsigned int tmp___298 ;
  unsigned char tmp___299 ;
  unsigned char tmp___300 ;
  unsigned char tmp___301 ;
  short tmp___302 ;
  unsigned int tmp___303 ;
  signed char tmp___304 ;
  unsigned int tmp___305 ;
  unsigned long tmp___306 ;
  signed char tmp___307 ;
  signed char tmp___308 ;
  signed char tmp___309 ;
  short tmp___310 ;
  unsigned int tmp___311 ;
  signed char tmp___312 ;
  unsigned int tmp___313 ;
  unsigned short tmp___314 ;
  unsigned short tmp___315 ;
  long long tmp___316 ;
  unsigned int tmp___317 ;
  unsigned int tmp___318 ;
  signed char tmp___319 ;

  {
  tmp___0 = (unsigned long )0;
  tmp___1 = (unsigned char )1;
  tmp___2 = (int )2;
  tmp___3 = (unsigned int )3;
  tmp___0 = (unsigned long )in;
  tmp___4 = (unsigned int )((unsigned int )tmp___3 * (unsigned int )tmp___0);
  tmp___5 = (signed char )((unsigned int )tmp___4 - (unsigned int )tmp___4);
  tmp___6 = (unsigned int )(tmp___4 < tmp___4);
  tmp___7 = (unsigned long )((unsigned int )tmp___4 - (unsigned int )tmp___2);
  tmp___8 = (unsigned int )(mem[(unsigned int )tmp___6 & 7U] + (unsigned int )tmp___1);
  tmp___9 = (signed char )((unsigned int )tmp___3 * (unsigned int )tmp___6);
  tmp___10 = (unsigned short )((unsigned int )tmp___1 % 907U);
  tmp___11 = (unsigned int )((unsigned int )tmp___2 >> 4);
  if (tmp___7 > tmp___2) {
    goto L0;
  } else {

  }
  tmp___10 = (unsigned short )((unsigned int )tmp___3 ^ 21164U);
  tmp___6 = (unsigned int )((unsigned int )tmp___8 ^ 52929U);
  counter ++;
  L0: ;
  tmp___12 = (unsigned int )((unsigned int )tmp___5 >> 12);
  tmp___13 = (int )((unsigned int )tmp___12 + (unsigned int )tmp___5);
  tmp___14 = (int )((unsigned int )tmp___9 + (unsigned int )tmp___11);
  tmp___15 = (unsigned int )((unsigned int )tmp___12 - (unsigned int )tmp___4);
  tmp___16 = (unsigned short )((unsigned int )tmp___7 * (unsigned int )tmp___3);
  tmp___17 = (unsigned int )((unsigned int )tmp___7 ^ (unsigned int )tmp___8);
  tmp___18 = (signed char )((unsigned int )tmp___8 - (unsigned int )tmp___17);
  tmp___19 = (int )((unsigned int )tmp___12 << 6);
  tmp___20 = (unsigned int )((unsigned int )tmp___9 + (unsigned int )tmp___8);
  tmp___21 = (unsigned int )((unsigned int )tmp___18 * (unsigned int )tmp___7);
  tmp___22 = (unsigned short )((unsigned int )tmp___10 - (unsigned int )tmp___10);
  if (tmp___4 > tmp___1) {
    goto L1;
  } else {

  }
  tmp___16 = (unsigned short )((unsigned int )tmp___7 ^ 14347U);
  tmp___5 = (signed char )((unsigned int )tmp___8 ^ 6604U);
  counter ++;
  L1: ;
  tmp___23 = (unsigned int )((unsigned int )tmp___13 << 17);
  mem[3] = mem[4] * 31U + (unsigned int )tmp___23;
  tmp___24 = (int )((unsigned int )tmp___19 ^ (unsigned int )tmp___16);
  tmp___25 = (unsigned int )((unsigned int )tmp___13 + (unsigned int )tmp___8);
  tmp___26 = (unsigned short )((unsigned int )tmp___22 >> 17);
  tmp___27 = (unsigned int )(mem[(unsigned int )tmp___22 & 7U] + (unsigned int )tmp___3);
  tmp___28 = (signed char )((unsigned int )tmp___22 << 8);
  tmp___29 = (unsigned char )((unsigned int )tmp___20 ^ (unsigned int )tmp___26);
  tmp___30 = (long long )((unsigned int )tmp___20 * (unsigned int )tmp___0);
  tmp___31 = (int )(mem[(unsigned int )tmp___19 & 7U] + (unsigned int )tmp___2);
  tmp___32 = (unsigned char )((unsigned int )tmp___23 + (unsigned int )tmp___18);
  tmp___33 = (signed char )((unsigned int )tmp___25 + (unsigned int )tmp___28);
  if (tmp___21 > tmp___20) {
    goto L2;
  } else {

  }
  tmp___15 = (unsigned int )((unsigned int )tmp___2 ^ 40574U);
  tmp___13 = (int )((unsigned int )tmp___22 ^ 23981U);
  counter ++;
  L2: ;
  tmp___34 = (unsigned int )(mem[(unsigned int )tmp___22 & 7U] + (unsigned int )tmp___21);
  tmp___35 = (long long )((unsigned int )tmp___31 >> 17);
  tmp___36 = (signed char )((unsigned int )tmp___28 ^ (unsigned int )tmp___5);
  tmp___37 = (unsigned char )((unsigned int )tmp___31 << 8);
  tmp___38 = (unsigned int )((unsigned int )tmp___35 ^ (unsigned int )tmp___33);
  tmp___39 = (unsigned short )((unsigned int )tmp___34 << 2);
  tmp___40 = (unsigned long )(mem[(unsigned int )tmp___39 & 7U] + (unsigned int )tmp___32);
  tmp___41 = (unsigned int )((unsigned int )tmp___37 + (unsigned int )tmp___32);
  tmp___42 = (signed char )((unsigned int )tmp___30 ^ (unsigned int )tmp___2);
  tmp___43 = (unsigned int )((unsigned int )tmp___38 + (unsigned int )tmp___35);
  tmp___44 = (unsigned int )((unsigned int )tmp___35 << 15);
  if (tmp___4 > tmp___32) {
    goto L3;
  } else {

  }
  tmp___34 = (unsigned int )((unsigned int )tmp___5 ^ 86416U);
  tmp___33 = (signed char )((unsigned int )tmp___4 ^ 97745U);
  counter ++;
  L3: ;
  tmp___45 = (unsigned short )((unsigned int )tmp___44 << 9);
  tmp___46 = (short )((unsigned int )tmp___45 >> 15);
  mem[6] = mem[1] * 31U + (unsigned int )tmp___46;
  tmp___47 = (signed char )((unsigned int )tmp___42 << 7);
  tmp___48 = (int )((unsigned int )tmp___45 % 639U);
  tmp___49 = (unsigned long )((unsigned int )tmp___46 + (unsigned int )tmp___8);
  tmp___50 = (short )((unsigned int )tmp___42 * (unsigned int )tmp___43);
  tmp___51 = (short )((unsigned int )tmp___50 << 15);
  tmp___52 = (unsigned long )((unsigned int )tmp___41 >> 10);
  tmp___53 = (long long )((unsigned int )tmp___48 << 3);
  tmp___54 = (unsigned short )((unsigned int )tmp___50 << 7);
  tmp___55 = (unsigned char )((unsigned int )tmp___46 * (unsigned int )tmp___4);
  if (tmp___23 > tmp___8) {
    goto L4;
  } else {

  }
  tmp___38 = (unsigned int )((unsigned int )tmp___52 ^ 82795U);
  tmp___32 = (unsigned char )((unsigned int )tmp___17 ^ 14769U);
  counter ++;
  L4: ;
  tmp___56 = (unsigned short )((unsigned int )tmp___55 >> 16);
  tmp___57 = (unsigned int )((unsigned int )tmp___45 + (unsigned int )tmp___10);
  tmp___58 = (long long )((unsigned int )tmp___50 ^ (unsigned int )tmp___46);
  tmp___59 = (signed char )((unsigned int )tmp___52 % 771U);
  tmp___60 = (short )(mem[(unsigned int )tmp___53 & 7U] + (unsigned int )tmp___53);
  tmp___61 = (unsigned long )((unsigned int )tmp___49 << 12);
  tmp___62 = (short )((unsigned int )tmp___56 * (unsigned int )tmp___24);
  tmp___63 = (long long )((unsigned int )tmp___55 + (unsigned int )tmp___54);
  tmp___64 = (unsigned int )((unsigned int )tmp___62 ^ (unsigned int )tmp___36);
  tmp___65 = (unsigned int )((unsigned int )tmp___61 >> 12);
  tmp___66 = (signed char )((unsigned int )tmp___54 - (unsigned int )tmp___51);
  if (tmp___10 > tmp___6) {
    goto L5;
  } else {

  }
  tmp___52 = (unsigned long )((unsigned int )tmp___57 ^ 80599U);
  tmp___17 = (unsigned int )((unsigned int )tmp___36 ^ 63646U);
  counter ++;
  L5: ;
  tmp___67 = (int )((unsigned int )tmp___55 ^ (unsigned int )tmp___16);
  tmp___68 = (unsigned char )((unsigned int )tmp___60 << 13);
  tmp___69 = (unsigned long )(tmp___60 < tmp___38);
  mem[2] = mem[2] * 31U + (unsigned int )tmp___69;
  tmp___70 = (unsigned char )((unsigned int )tmp___59 - (unsigned int )tmp___26);
  tmp___71 = (short )(tmp___66 < tmp___42);
  tmp___72 = (int )((unsigned int )tmp___63 * (unsigned int )tmp___31);
  tmp___73 = (unsigned int )((unsigned int )tmp___62 >> 12);
  tmp___74 = (unsigned int )((unsigned int )tmp___71 + (unsigned int )tmp___25);
  tmp___75 = (signed char )((unsigned int )tmp___74 >> 13);
  tmp___76 = (unsigned long )((unsigned int )tmp___64 << 12);
  tmp___77 = (unsigned long )((unsigned int )tmp___75 - (unsigned int )tmp___64);
  if (tmp___31 > tmp___49) {
    goto L6;
  } else {

  }
  tmp___51 = (short )((unsigned int )tmp___57 ^ 56602U);
  tmp___39 = (unsigned short )((unsigned int )tmp___2 ^ 16679U);
  counter ++;
  L6: ;
  tmp___78 = (unsigned long )(tmp___66 < tmp___54);
  tmp___79 = (short )((unsigned int )tmp___68 - (unsigned int )tmp___50);
  tmp___80 = (short )((unsigned int )tmp___69 ^ (unsigned int )tmp___28);
  tmp___81 = (unsigned int )(tmp___79 < tmp___13);
  tmp___82 = (unsigned int )((unsigned int )tmp___70 ^ (unsigned int )tmp___0);
  tmp___83 = (long long )((unsigned int )tmp___71 << 9);
  tmp___84 = (short )((unsigned int )tmp___82 * (unsigned int )tmp___55);
  tmp___85 = (unsigned int )((unsigned int )tmp___81 >> 13);
  tmp___86 = (unsigned int )((unsigned int )tmp___83 + (unsigned int )tmp___0);
  tmp___87 = (long long )((unsigned int )tmp___79 >> 16);
  tmp___88 = (short )((unsigned int )tmp___84 + (unsigned int )tmp___31);
  if (tmp___2 > tmp___24) {
    goto L7;
  } else {

  }
  tmp___63 = (long long )((unsigned int )tmp___86 ^ 84826U);
  tmp___53 = (long long )((unsigned int )tmp___10 ^ 33720U);
  counter ++;
  L7: ;
  tmp___89 = (long long )(mem[(unsigned int )tmp___80 & 7U] + (unsigned int )tmp___85);
  tmp___90 = (int )((unsigned int )tmp___78 % 701U);
  tmp___91 = (unsigned long )((unsigned int )tmp___85 + (unsigned int )tmp___25);
  tmp___92 = (unsigned int )((unsigned int )tmp___83 >> 10);
  mem[7] = mem[3] * 31U + (unsigned int )tmp___92;
  tmp___93 = (short )((unsigned int )tmp___85 * (unsigned int )tmp___37);
  tmp___94 = (unsigned long )(mem[(unsigned int )tmp___85 & 7U] + (unsigned int )tmp___62);
  tmp___95 = (unsigned char )((unsigned int )tmp___89 >> 1);
  tmp___96 = (unsigned int )((unsigned int )tmp___84 + (unsigned int )tmp___90);
  tmp___97 = (short )((unsigned int )tmp___96 * (unsigned int )tmp___40);
  tmp___98 = (unsigned int )((unsigned int )tmp___89 - (unsigned int )tmp___23);
  tmp___99 = (unsigned short )(mem[(unsigned int )tmp___97 & 7U] + (unsigned int )tmp___92);
  if (tmp___21 > tmp___13) {
    goto L8;
  } else {

  }
  tmp___0 = (unsigned long )((unsigned int )tmp___10 ^ 36675U);
  tmp___10 = (unsigned short )((unsigned int )tmp___44 ^ 55075U);
  counter ++;
  L8: ;
  tmp___100 = (long long )((unsigned int )tmp___89 >> 13);
  tmp___101 = (unsigned char )((unsigned int )tmp___93 * (unsigned int )tmp___55);
  tmp___102 = (unsigned short )(tmp___95 < tmp___69);
  tmp___103 = (int )((unsigned int )tmp___102 + (unsigned int )tmp___60);
  tmp___104 = (int )(mem[(unsigned int )tmp___102 & 7U] + (unsigned int )tmp___98);
  tmp___105 = (short )((unsigned int )tmp___100 + (unsigned int )tmp___8);
  tmp___106 = (unsigned int )((unsigned int )tmp___95 % 346U);
  tmp___107 = (unsigned char )((unsigned int )tmp___104 << 9);
  tmp___108 = (short )((unsigned int )tmp___96 * (unsigned int )tmp___92);
  tmp___109 = (int )(tmp___104 < tmp___91);
  tmp___110 = (signed char )(tmp___104 < tmp___104);
  if (tmp___1 > tmp___102) {
    goto L9;
  } else {

  }
  tmp___94 = (unsigned long )((unsigned int )tmp___38 ^ 90717U);
  tmp___98 = (unsigned int )((unsigned int )tmp___19 ^ 79595U);
  counter ++;
  L9: ;
  tmp___111 = (long long )((unsigned int )tmp___102 % 805U);
  tmp___112 = (unsigned char )((unsigned int )tmp___109 - (unsigned int )tmp___10);
  tmp___113 = (int )(mem[(unsigned int )tmp___103 & 7U] + (unsigned int )tmp___31);
  tmp___114 = (signed char )((unsigned int )tmp___110 % 907U);
  tmp___115 = (long long )((unsigned int )tmp___104 << 7);
  mem[6] = mem[7] * 31U + (unsigned int )tmp___115;
  tmp___116 = (int )((unsigned int )tmp___115 ^ (unsigned int )tmp___57);
  tmp___117 = (unsigned long )((unsigned int )tmp___112 >> 18);
  tmp___118 = (int )((unsigned int )tmp___110 << 9);
  tmp___119 = (unsigned short )((unsigned int )tmp___111 << 15);
  tmp___120 = (unsigned char )((unsigned int )tmp___110 >> 5);
  tmp___121 = (unsigned int )((unsigned int )tmp___118 % 260U);
  if (tmp___31 > tmp___64) {
    goto L10;
  } else {

  }
  tmp___67 = (int )((unsigned int )tmp___29 ^ 85150U);
  tmp___103 = (int )((unsigned int )tmp___12 ^ 85633U);
  counter ++;
  L10: ;
  tmp___122 = (unsigned char )((unsigned int )tmp___117 * (unsigned int )tmp___4);
  tmp___123 = (unsigned char )(tmp___114 < tmp___107);
  tmp___124 = (unsigned short )((unsigned int )tmp___116 * (unsigned int )tmp___29);
  tmp___125 = (unsigned short )((unsigned int )tmp___122 * (unsigned int )tmp___24);
  tmp___126 = (unsigned int )((unsigned int )tmp___116 << 4);
  tmp___127 = (short )((unsigned int )tmp___124 % 380U);
  tmp___128 = (unsigned char )((unsigned int )tmp___121 + (unsigned int )tmp___36);
  tmp___129 = (long long )((unsigned int )tmp___126 + (unsigned int )tmp___52);
  tmp___130 = (long long )((unsigned int )tmp___123 << 7);
  tmp___131 = (unsigned int )((unsigned int )tmp___126 * (unsigned int )tmp___123);
  tmp___132 = (unsigned char )((unsigned int )tmp___126 - (unsigned int )tmp___39);
  if (tmp___69 > tmp___104) {
    goto L11;
  } else {

  }
  tmp___72 = (int )((unsigned int )tmp___78 ^ 54768U);
  tmp___13 = (int )((unsigned int )tmp___79 ^ 97693U);
  counter ++;
  L11: ;
  tmp___133 = (int )(mem[(unsigned int )tmp___130 & 7U] + (unsigned int )tmp___91);
  tmp___134 = (signed char )(mem[(unsigned int )tmp___127 & 7U] + (unsigned int )tmp___50);
  tmp___135 = (unsigned long )((unsigned int )tmp___123 ^ (unsigned int )tmp___111);
  tmp___136 = (unsigned long )((unsigned int )tmp___125 % 136U);
  tmp___137 = (unsigned char )((unsigned int )tmp___125 - (unsigned int )tmp___13);
  tmp___138 = (signed char )((unsigned int )tmp___135 - (unsigned int )tmp___94);
  mem[4] = mem[2] * 31U + (unsigned int )tmp___138;
  tmp___139 = (unsigned int )((unsigned int )tmp___135 * (unsigned int )tmp___43);
  tmp___140 = (short )((unsigned int )tmp___131 ^ (unsigned int )tmp___77);
  tmp___141 = (signed char )((unsigned int )tmp___129 * (unsigned int )tmp___99);
  tmp___142 = (int )(tmp___136 < tmp___50);
  tmp___143 = (int )((unsigned int )tmp___131 - (unsigned int )tmp___102);
  if (tmp___31 > tmp___38) {
    goto L12;
  } else {

  }
  tmp___63 = (long long )((unsigned int )tmp___49 ^ 5387U);
  tmp___9 = (signed char )((unsigned int )tmp___82 ^ 15432U);
  counter ++;
  L12: ;
  tmp___144 = (int )((unsigned int )tmp___138 - (unsigned int )tmp___116);
  tmp___145 = (int )(mem[(unsigned int )tmp___142 & 7U] + (unsigned int )tmp___63);
  tmp___146 = (unsigned int )((unsigned int )tmp___142 ^ (unsigned int )tmp___112);
  tmp___147 = (short )((unsigned int )tmp___142 >> 15);
  tmp___148 = (int )(mem[(unsigned int )tmp___138 & 7U] + (unsigned int )tmp___121);
  tmp___149 = (unsigned int )((unsigned int )tmp___142 % 519U);
  tmp___150 = (unsigned short )((unsigned int )tmp___146 + (unsigned int )tmp___10);
  tmp___151 = (unsigned int )((unsigned int )tmp___150 - (unsigned int )tmp___80);
  tmp___152 = (unsigned short )((unsigned int )tmp___148 ^ (unsigned int )tmp___96);
  tmp___153 = (short )((unsigned int )tmp___152 >> 5);
  tmp___154 = (unsigned char )((unsigned int )tmp___144 * (unsigned int )tmp___56);
  if (tmp___82 > tmp___70) {
    goto L13;
  } else {

  }
  tmp___116 = (int )((unsigned int )tmp___36 ^ 33314U);
  tmp___128 = (unsigned char )((unsigned int )tmp___122 ^ 27306U);
  counter ++;
  L13: ;
  tmp___155 = (unsigned int )((unsigned int )tmp___152 - (unsigned int )tmp___67);
  tmp___156 = (unsigned long )((unsigned int )tmp___144 ^ (unsigned int )tmp___50);
  tmp___157 = (unsigned int )(mem[(unsigned int )tmp___149 & 7U] + (unsigned int )tmp___83);
  tmp___158 = (unsigned int )((unsigned int )tmp___154 % 536U);
  tmp___159 = (unsigned int )((unsigned int )tmp___156 << 13);
  tmp___160 = (unsigned char )(mem[(unsigned int )tmp___153 & 7U] + (unsigned int )tmp___67);
  tmp___161 = (signed char )((unsigned int )tmp___154 * (unsigned int )tmp___84);
  mem[0] = mem[4] * 31U + (unsigned int )tmp___161;
  tmp___162 = (unsigned int )((unsigned int )tmp___158 << 11);
  tmp___163 = (unsigned long )((unsigned int )tmp___151 >> 5);
  tmp___164 = (unsigned int )(mem[(unsigned int )tmp___162 & 7U] + (unsigned int )tmp___110);
  tmp___165 = (unsigned int )(tmp___153 < tmp___33);
  if (tmp___13 > tmp___0) {
    goto L14;
  } else {

  }
  tmp___145 = (int )((unsigned int )tmp___90 ^ 39812U);
  tmp___27 = (unsigned int )((unsigned int )tmp___133 ^ 46813U);
  counter ++;
  L14: ;
  tmp___166 = (unsigned short )(mem[(unsigned int )tmp___162 & 7U] + (unsigned int )tmp___57);
  tmp___167 = (int )((unsigned int )tmp___157 % 140U);
  tmp___168 = (unsigned char )((unsigned int )tmp___156 ^ (unsigned int )tmp___62);
  tmp___169 = (long long )((unsigned int )tmp___167 << 9);
  tmp___170 = (unsigned long )((unsigned int )tmp___158 - (unsigned int )tmp___14);
  tmp___171 = (unsigned long )(tmp___168 < tmp___132);
  tmp___172 = (short )((unsigned int )tmp___160 + (unsigned int )tmp___11);
  tmp___173 = (unsigned int )((unsigned int )tmp___163 ^ (unsigned int )tmp___60);
  tmp___174 = (unsigned int )((unsigned int )tmp___171 >> 5);
  tmp___175 = (short )((unsigned int )tmp___171 - (unsigned int )tmp___155);
  tmp___176 = (short )((unsigned int )tmp___168 << 16);
  if (tmp___137 > tmp___1) {
    goto L15;
  } else {

  }
  tmp___96 = (unsigned int )((unsigned int )tmp___111 ^ 97674U);
  tmp___119 = (unsigned short )((unsigned int )tmp___20 ^ 97224U);
  counter ++;
  L15: ;
  tmp___177 = (short )((unsigned int )tmp___175 ^ (unsigned int )tmp___115);
  tmp___178 = (short )((unsigned int )tmp___169 + (unsigned int )tmp___164);
  tmp___179 = (long long )((unsigned int )tmp___178 << 9);
  tmp___180 = (unsigned int )(mem[(unsigned int )tmp___176 & 7U] + (unsigned int )tmp___173);
  tmp___181 = (unsigned char )((unsigned int )tmp___179 * (unsigned int )tmp___55);
  tmp___182 = (unsigned int )((unsigned int )tmp___174 >> 6);
  tmp___183 = (unsigned long )((unsigned int )tmp___177 >> 13);
  tmp___184 = (long long )((unsigned int )tmp___179 + (unsigned int )tmp___135);
  mem[3] = mem[4] * 31U + (unsigned int )tmp___184;
  tmp___185 = (short )((unsigned int )tmp___176 * (unsigned int )tmp___100);
  tmp___186 = (unsigned char )((unsigned int )tmp___174 * (unsigned int )tmp___6);
  tmp___187 = (signed char )((unsigned int )tmp___177 + (unsigned int )tmp___179);
  if (tmp___177 > tmp___164) {
    goto L16;
  } else {

  }
  tmp___162 = (unsigned int )((unsigned int )tmp___10 ^ 91359U);
  tmp___17 = (unsigned int )((unsigned int )tmp___11 ^ 8620U);
  counter ++;
  L16: ;
  tmp___188 = (unsigned int )((unsigned int )tmp___185 >> 18);
  tmp___189 = (unsigned short )((unsigned int )tmp___188 * (unsigned int )tmp___98);
  tmp___190 = (signed char )((unsigned int )tmp___179 + (unsigned int )tmp___8);
  tmp___191 = (unsigned long )((unsigned int )tmp___180 * (unsigned int )tmp___33);
  tmp___192 = (unsigned char )((unsigned int )tmp___185 << 12);
  tmp___193 = (signed char )((unsigned int )tmp___185 % 490U);
  tmp___194 = (unsigned int )((unsigned int )tmp___186 + (unsigned int )tmp___158);
  tmp___195 = (signed char )((unsigned int )tmp___191 % 553U);
  tmp___196 = (long long )((unsigned int )tmp___193 * (unsigned int )tmp___55);
  tmp___197 = (unsigned int )((unsigned int )tmp___191 - (unsigned int )tmp___0);
  tmp___198 = (long long )((unsigned int )tmp___186 % 506U);
  if (tmp___177 > tmp___47) {
    goto L17;
  } else {

  }
  tmp___126 = (unsigned int )((unsigned int )tmp___151 ^ 45507U);
  tmp___131 = (unsigned int )((unsigned int )tmp___66 ^ 75761U);
  counter ++;
  L17: ;
  tmp___199 = (signed char )((unsigned int )tmp___189 >> 8);
  tmp___200 = (unsigned long )((unsigned int )tmp___189 * (unsigned int )tmp___162);
  tmp___201 = (unsigned char )((unsigned int )tmp___190 % 413U);
  tmp___202 = (unsigned long )((unsigned int )tmp___196 * (unsigned int )tmp___190);
  tmp___203 = (unsigned short )((unsigned int )tmp___194 << 18);
  tmp___204 = (signed char )((unsigned int )tmp___194 >> 15);
  tmp___205 = (signed char )((unsigned int )tmp___202 + (unsigned int )tmp___193);
  tmp___206 = (signed char )(tmp___202 < tmp___39);
  tmp___207 = (unsigned long )((unsigned int )tmp___202 << 8);
  mem[5] = mem[7] * 31U + (unsigned int )tmp___207;
  tmp___208 = (unsigned short )((unsigned int )tmp___206 >> 17);
  tmp___209 = (unsigned short )((unsigned int )tmp___201 ^ (unsigned int )tmp___193);
  if (tmp___83 > tmp___154) {
    goto L18;
  } else {

  }
  tmp___133 = (int )((unsigned int )tmp___89 ^ 21093U);
  tmp___60 = (short )((unsigned int )tmp___83 ^ 24809U);
  counter ++;
  L18: ;
  tmp___210 = (unsigned short )((unsigned int )tmp___202 * (unsigned int )tmp___186);
  tmp___211 = (int )((unsigned int )tmp___205 ^ (unsigned int )tmp___38);
  tmp___212 = (unsigned short )((unsigned int )tmp___204 * (unsigned int )tmp___50);
  tmp___213 = (unsigned short )((unsigned int )tmp___207 + (unsigned int )tmp___118);
  tmp___214 = (signed char )((unsigned int )tmp___208 >> 17);
  tmp___215 = (short )((unsigned int )tmp___203 << 1);
  tmp___216 = (unsigned long )(mem[(unsigned int )tmp___207 & 7U] + (unsigned int )tmp___110);
  tmp___217 = (unsigned int )((unsigned int )tmp___208 ^ (unsigned int )tmp___173);
  tmp___218 = (unsigned int )((unsigned int )tmp___211 * (unsigned int )tmp___66);
  tmp___219 = (long long )((unsigned int )tmp___213 ^ (unsigned int )tmp___182);
  tmp___220 = (short )(mem[(unsigned int )tmp___215 & 7U] + (unsigned int )tmp___5);
  if (tmp___167 > tmp___83) {
    goto L19;
  } else {

  }
  tmp___199 = (signed char )((unsigned int )tmp___2 ^ 50949U);
  tmp___212 = (unsigned short )((unsigned int )tmp___125 ^ 13944U);
  counter ++;
  L19: ;
  tmp___221 = (long long )((unsigned int )tmp___209 - (unsigned int )tmp___64);
  tmp___222 = (unsigned short )((unsigned int )tmp___213 % 470U);
  tmp___223 = (unsigned long )(tmp___219 < tmp___52);
  tmp___224 = (short )((unsigned int )tmp___217 % 218U);
  tmp___225 = (unsigned long )(mem[(unsigned int )tmp___223 & 7U] + (unsigned int )tmp___47);
  tmp___226 = (unsigned long )((unsigned int )tmp___223 + (unsigned int )tmp___91);
  tmp___227 = (unsigned int )((unsigned int )tmp___221 + (unsigned int )tmp___15);
  tmp___228 = (unsigned short )((unsigned int )tmp___222 % 114U);
  tmp___229 = (unsigned int )(mem[(unsigned int )tmp___220 & 7U] + (unsigned int )tmp___77);
  tmp___230 = (unsigned short )((unsigned int )tmp___224 >> 6);
  mem[1] = mem[3] * 31U + (unsigned int )tmp___230;
  tmp___231 = (short )((unsigned int )tmp___226 - (unsigned int )tmp___164);
  if (tmp___170 > tmp___163) {
    goto L20;
  } else {

  }
  tmp___212 = (unsigned short )((unsigned int )tmp___209 ^ 54171U);
  tmp___119 = (unsigned short )((unsigned int )tmp___75 ^ 99601U);
  counter ++;
  L20: ;
  tmp___232 = (unsigned short )((unsigned int )tmp___228 ^ (unsigned int )tmp___166);
  tmp___233 = (unsigned long )(mem[(unsigned int )tmp___224 & 7U] + (unsigned int )tmp___68);
  tmp___234 = (unsigned short )((unsigned int )tmp___224 + (unsigned int )tmp___123);
  tmp___235 = (short )((unsigned int )tmp___233 % 441U);
  tmp___236 = (unsigned int )((unsigned int )tmp___233 * (unsigned int )tmp___163);
  tmp___237 = (short )(mem[(unsigned int )tmp___229 & 7U] + (unsigned int )tmp___218);
  tmp___238 = (unsigned long )((unsigned int )tmp___235 % 854U);
  tmp___239 = (unsigned int )((unsigned int )tmp___232 + (unsigned int )tmp___162);
  tmp___240 = (unsigned int )((unsigned int )tmp___229 << 4);
  tmp___241 = (int )((unsigned int )tmp___231 >> 6);
  tmp___242 = (unsigned short )(mem[(unsigned int )tmp___232 & 7U] + (unsigned int )tmp___53);
  if (tmp___228 > tmp___176) {
    goto L21;
  } else {

  }
  tmp___155 = (unsigned int )((unsigned int )tmp___200 ^ 11850U);
  tmp___171 = (unsigned long )((unsigned int )tmp___230 ^ 71894U);
  counter ++;
  L21: ;
  tmp___243 = (short )((unsigned int )tmp___241 << 16);
  tmp___244 = (unsigned char )((unsigned int )tmp___235 * (unsigned int )tmp___135);
  tmp___245 = (int )(mem[(unsigned int )tmp___234 & 7U] + (unsigned int )tmp___67);
  tmp___246 = (unsigned long )((unsigned int )tmp___241 + (unsigned int )tmp___142);
  tmp___247 = (unsigned int )(tmp___237 < tmp___179);
  tmp___248 = (int )((unsigned int )tmp___244 + (unsigned int )tmp___153);
  tmp___249 = (short )(tmp___248 < tmp___144);
  tmp___250 = (int )((unsigned int )tmp___244 * (unsigned int )tmp___107);
  tmp___251 = (unsigned int )((unsigned int )tmp___249 + (unsigned int )tmp___7);
  tmp___252 = (unsigned char )(tmp___241 < tmp___130);
  tmp___253 = (unsigned char )(mem[(unsigned int )tmp___244 & 7U] + (unsigned int )tmp___183);
  if (tmp___220 > tmp___168) {
    goto L22;
  } else {

  }
  tmp___93 = (short )((unsigned int )tmp___87 ^ 62199U);
  tmp___199 = (signed char )((unsigned int )tmp___134 ^ 72631U);
  counter ++;
  L22: ;
  mem[3] = mem[4] * 31U + (unsigned int )tmp___253;
  tmp___254 = (unsigned char )(mem[(unsigned int )tmp___248 & 7U] + (unsigned int )tmp___87);
  tmp___255 = (unsigned int )((unsigned int )tmp___247 % 344U);
  tmp___256 = (unsigned char )((unsigned int )tmp___252 - (unsigned int )tmp___139);
  tmp___257 = (short )((unsigned int )tmp___252 % 733U);
  tmp___258 = (unsigned char )((unsigned int )tmp___250 * (unsigned int )tmp___65);
  tmp___259 = (short )((unsigned int )tmp___255 - (unsigned int )tmp___207);
  tmp___260 = (unsigned long )((unsigned int )tmp___252 + (unsigned int )tmp___55);
  tmp___261 = (unsigned char )((unsigned int )tmp___256 - (unsigned int )tmp___30);
  tmp___262 = (signed char )((unsigned int )tmp___252 >> 2);
  tmp___263 = (signed char )((unsigned int )tmp___253 ^ (unsigned int )tmp___51);
  tmp___264 = (unsigned char )((unsigned int )tmp___253 % 578U);
  if (tmp___132 > tmp___154) {
    goto L23;
  } else {

  }
  tmp___94 = (unsigned long )((unsigned int )tmp___215 ^ 4489U);
  tmp___163 = (unsigned long )((unsigned int )tmp___10 ^ 56450U);
  counter ++;
  L23: ;
  tmp___265 = (unsigned int )(tmp___262 < tmp___27);
  tmp___266 = (unsigned int )(mem[(unsigned int )tmp___255 & 7U] + (unsigned int )tmp___215);
  tmp___267 = (unsigned int )((unsigned int )tmp___265 ^ (unsigned int )tmp___198);
  tmp___268 = (signed char )(tmp___257 < tmp___42);
  tmp___269 = (unsigned char )((unsigned int )tmp___257 + (unsigned int )tmp___218);
  tmp___270 = (int )((unsigned int )tmp___259 * (unsigned int )tmp___111);
  tmp___271 = (unsigned short )(tmp___263 < tmp___124);
  tmp___272 = (unsigned short )((unsigned int )tmp___271 * (unsigned int )tmp___74);
  tmp___273 = (unsigned int )((unsigned int )tmp___268 << 2);
  tmp___274 = (long long )((unsigned int )tmp___262 * (unsigned int )tmp___7);
  tmp___275 = (unsigned short )(tmp___274 < tmp___84);
  if (tmp___224 > tmp___240) {
    goto L24;
  } else {

  }
  tmp___85 = (unsigned int )((unsigned int )tmp___74 ^ 15297U);
  tmp___185 = (short )((unsigned int )tmp___83 ^ 82537U);
  counter ++;
  L24: ;
  tmp___276 = (long long )(mem[(unsigned int )tmp___270 & 7U] + (unsigned int )tmp___244);
  mem[5] = mem[4] * 31U + (unsigned int )tmp___276;
  tmp___277 = (signed char )((unsigned int )tmp___269 % 618U);
  tmp___278 = (unsigned short )((unsigned int )tmp___270 >> 13);
  tmp___279 = (unsigned long )(tmp___273 < tmp___119);
  tmp___280 = (long long )(mem[(unsigned int )tmp___272 & 7U] + (unsigned int )tmp___137);
  tmp___281 = (signed char )((unsigned int )tmp___269 ^ (unsigned int )tmp___147);
  tmp___282 = (int )((unsigned int )tmp___278 % 555U);
  tmp___283 = (unsigned char )(mem[(unsigned int )tmp___279 & 7U] + (unsigned int )tmp___248);
  tmp___284 = (unsigned int )(mem[(unsigned int )tmp___281 & 7U] + (unsigned int )tmp___29);
  tmp___285 = (unsigned long )(mem[(unsigned int )tmp___277 & 7U] + (unsigned int )tmp___4);
  tmp___286 = (short )((unsigned int )tmp___282 * (unsigned int )tmp___181);
  if (tmp___266 > tmp___132) {
    goto L25;
  } else {

  }
  tmp___267 = (unsigned int )((unsigned int )tmp___164 ^ 62468U);
  tmp___259 = (short )((unsigned int )tmp___103 ^ 24793U);
  counter ++;
  L25: ;
  tmp___287 = (signed char )((unsigned int )tmp___278 * (unsigned int )tmp___98);
  tmp___288 = (int )(mem[(unsigned int )tmp___285 & 7U] + (unsigned int )tmp___183);
  tmp___289 = (signed char )((unsigned int )tmp___277 % 650U);
  tmp___290 = (unsigned char )((unsigned int )tmp___285 ^ (unsigned int )tmp___41);
  tmp___291 = (signed char )((unsigned int )tmp___283 + (unsigned int )tmp___265);
  tmp___292 = (unsigned char )((unsigned int )tmp___289 >> 9);
  tmp___293 = (signed char )((unsigned int )tmp___282 ^ (unsigned int )tmp___228);
  tmp___294 = (signed char )(mem[(unsigned int )tmp___285 & 7U] + (unsigned int )tmp___92);
  tmp___295 = (unsigned int )((unsigned int )tmp___283 % 972U);
  tmp___296 = (short )((unsigned int )tmp___285 * (unsigned int )tmp___203);
  tmp___297 = (unsigned char )((unsigned int )tmp___294 * (unsigned int )tmp___119);
  if (tmp___229 > tmp___81) {
    goto L26;
  } else {

  }
  tmp___189 = (unsigned short )((unsigned int )tmp___120 ^ 94466U);
  tmp___113 = (int )((unsigned int )tmp___88 ^ 5064U);
  counter ++;
  L26: ;
  tmp___298 = (unsigned int )((unsigned int )tmp___290 + (unsigned int )tmp___180);
  tmp___299 = (unsigned char )((unsigned int )tmp___287 - (unsigned int )tmp___132);
  mem[2] = mem[5] * 31U + (unsigned int )tmp___299;
  tmp___300 = (unsigned char )((unsigned int )tmp___288 << 19);
  tmp___301 = (unsigned char )(tmp___299 < tmp___53);
  tmp___302 = (short )((unsigned int )tmp___296 % 175U);
  tmp___303 = (unsigned int )((unsigned int )tmp___298 ^ (unsigned int )tmp___122);
  tmp___304 = (signed char )((unsigned int )tmp___295 ^ (unsigned int )tmp___18);
  tmp___305 = (unsigned int )((unsigned int )tmp___302 ^ (unsigned int )tmp___191);
  tmp___306 = (unsigned long )((unsigned int )tmp___300 * (unsigned int )tmp___11);
  tmp___307 = (signed char )((unsigned int )tmp___298 * (unsigned int )tmp___244);
  tmp___308 = (signed char )((unsigned int )tmp___299 ^ (unsigned int )tmp___29);
  if (tmp___74 > tmp___224) {
    goto L27;
  } else {

  }
  tmp___76 = (unsigned long )((unsigned int )tmp___136 ^ 54823U);
  tmp___210 = (unsigned short )((unsigned int )tmp___126 ^ 20407U);
  counter ++;
  L27: ;
  tmp___309 = (signed char )((unsigned int )tmp___297 << 6);
  tmp___310 = (short )((unsigned int )tmp___305 % 119U);
  tmp___311 = (unsigned int )((unsigned int )tmp___301 + (unsigned int )tmp___262);
  tmp___312 = (signed char )((unsigned int )tmp___304 << 12);
  tmp___313 = (unsigned int )((unsigned int )tmp___305 >> 4);
  tmp___314 = (unsigned short )((unsigned int )tmp___308 + (unsigned int )tmp___83);
  tmp___315 = (unsigned short )((unsigned int )tmp___303 - (unsigned int )tmp___226);
  tmp___316 = (long long )((unsigned int )tmp___311 - (unsigned int )tmp___0);
  tmp___317 = (unsigned int )(mem[(unsigned int )tmp___311 & 7U] + (unsigned int )tmp___20);
  tmp___318 = (unsigned int )((unsigned int )tmp___308 ^ (unsigned int )tmp___70);
  tmp___319 = (signed char )((unsigned int )tmp___309 * (unsigned int )tmp___100);
  if (tmp___140 > tmp___89) {
    goto L28;
  } else {

  }
  tmp___105 = (short )((unsigned int )tmp___70 ^ 80273U);
  tmp___98 = (unsigned int )((unsigned int )tmp___298 ^ 40376U);
  counter ++;
  L28: ;
  return ((unsigned int )tmp___319 ^ (unsigned int )tmp___318);
}
}
int main(void)
{ unsigned int h ;
  int i ;

  {
  h = 1U;
  i = 0;
  while (1) {
    while_continue: ;
    if (! (i < 20)) {
      goto while_break;
    } else {

    }
    h = step(h + (unsigned int )i);
    printf("%d %u %d %u\n", i, h, counter, mem[i & 7]);
    i ++;
  }
  while_break: ;
  return ((int )(h & 127U));
}
}
