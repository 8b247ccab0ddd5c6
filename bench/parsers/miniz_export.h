/* miniz' build writes this file; here nothing is exported. */
#define MINIZ_EXPORT
