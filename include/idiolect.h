/* Marks for `idiolect explain --events marks`. Elsewhere they compile to nothing:
 *
 *     Learn(3);                  an event called `3`
 *     Learn_Assert(x < 20);      the assertion to be explained
 *
 * Copy this file into a project, or use `-I`. */
#ifndef IDIOLECT_H
#define IDIOLECT_H

#if defined __IDIOLECT__ || defined IDIOLECT_REPLAY
extern void Learn(int id);
extern void Learn_Assert(int condition);
extern void _Learn(int id);
extern void _Learn_assert(int condition);
#else
#define Learn(id) ((void)0)
#define Learn_Assert(condition) ((void)0)
#define _Learn(id) ((void)0)
#define _Learn_assert(condition) ((void)0)
#endif

#endif
