// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTEE_TEXT_INPUT_H_
#define PMPROOF_VALIDATOR_TESTEE_TEXT_INPUT_H_

#include <span>
#include <string>
#include <vector>

#include "reference/core/identifiers.h"
#include "reference/pmda/names/diagnosis.h"
#include "validator/testee/request_reader.h"

// Text files as the input of an operation: the sources of name spaces and help texts, pmcd.conf.

namespace pmproof::validator {

// A file of `input`. `text` is empty where the reader has stopped.
struct TextInput {
  std::string path{};
  std::string text{};
};

// input.KEY, which has to be there. One that cannot be read is a refusal, files.unreadable.
TextInput TakeTextInput(RequestReader* reader, const char* key);

// Why a text is refused: the class of its clause (schema/testee.schema.json), file and line.
Reject RejectOf(const pmda::Diagnosis& diagnosis);

// "253.0.1"; of a dynamic root as any other, "511.253.0" (PMD-303).
std::string DottedText(Pmid pmid);

// The lines of the errors among these, each once, in order: what a program refuses and goes on.
Json RefusedLines(std::span<const pmda::Diagnosis> problems);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TESTEE_TEXT_INPUT_H_
