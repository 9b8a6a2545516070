#include "validator/program.h"

int main(int argc, char** argv) { return pmproof::validator::RunProgram(argc, argv); }
