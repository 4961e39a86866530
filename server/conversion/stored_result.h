// Between the wire and the store: results that are kept.

#ifndef KIBITZ_SERVER_CONVERSION_STORED_RESULT_H_
#define KIBITZ_SERVER_CONVERSION_STORED_RESULT_H_

#include <optional>

#include "kibitz/v1/analysis.pb.h"
#include "server/conversion/analysis.h"
#include "server/store/result_store.h"

namespace kibitz::server {

// Whether the answer is one for the position alone: at full strength, of all moves, and not hanging on what was played
// before or on the fifty-move rule. Only such answers are stored, and only such questions answered by them.
bool IsStorable(const AnalysisRequest& request);

// What a stored result must have to answer.
WantedResult Wanted(const AnalysisSpec& spec);

// What is to be kept of the end of a search; nothing if it has found nothing.
std::optional<StoredResult> ToStored(const AnalysisSpec& spec, const v1::AnalyzeResponse::Final& final);

// The best line that was stored, for a search to begin from; nothing if it cannot be read.
std::optional<AnalysisLine> LineFromStore(const AnalysisSpec& spec, const StoredResult& stored);

// What is said of an answer that is a stored result, or began from one: when that was found, and how deep it is.
void WriteProvenance(const StoredResult& stored, v1::Provenance::Source source, v1::Provenance& provenance);

// The answer that a stored result gives; nothing if it cannot be read.
std::optional<v1::AnalyzeResponse> FinalFromStore(const AnalysisSpec& spec, const StoredResult& stored);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_CONVERSION_STORED_RESULT_H_
