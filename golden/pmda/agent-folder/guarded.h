#ifndef BOX_H
#define BOX_H
#define BOX 77 /* a comment */
#endif
