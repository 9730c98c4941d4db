import { bestOf, defineCandidateSource } from 'feedloom/plugin';

/** The items with the highest `semantic_interest`: one per two items of the page. */
export default defineCandidateSource({
  summary: "Items with a similar meaning as the viewer's interactions, also new ones.",
  proposes_for: 'semantic_interest',
  ...bestOf('semantic_interest', 0.5),
  applies: () => (request) => request.embedding_length > 0,
});
