// What a worker of the search remembers and reckons with, search after search.

#ifndef KIBITZ_ENGINE_SEARCH_WORKER_MEMORY_H_
#define KIBITZ_ENGINE_SEARCH_WORKER_MEMORY_H_

#include <memory>
#include <utility>

#include "engine/eval/evaluator.h"
#include "engine/search/history.h"

namespace kibitz {

// Outlives a search: about 1.5 MB with the classical evaluator, made once and used again. Not shared.
struct WorkerMemory {
  explicit WorkerMemory(std::unique_ptr<Evaluator> its_evaluator) : evaluator(std::move(its_evaluator)) {}

  // For a new game or another analysis: nothing is left of the last one.
  void Clear() {
    history.Clear();
    evaluator->Clear();
  }

  History history;
  const std::unique_ptr<Evaluator> evaluator;
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_WORKER_MEMORY_H_
