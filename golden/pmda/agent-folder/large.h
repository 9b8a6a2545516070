#define BOX 511
