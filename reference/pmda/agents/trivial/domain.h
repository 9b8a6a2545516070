#define TRIVIAL 250
