#define BOX 77
