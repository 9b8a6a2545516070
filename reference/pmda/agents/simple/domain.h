#define SIMPLE 253
