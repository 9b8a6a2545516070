#define BOX 77
#define LID 78
