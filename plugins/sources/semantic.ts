import { bestOf, defineCandidateSource } from 'feedloom/plugin';

export default defineCandidateSource({
  summary: "Items with a similar meaning as the viewer's interactions, also new ones.",
  proposes_for: 'semantic_interest',
  ...bestOf('semantic_interest', 0.5),
  applies: () => (request) => request.embedding_length > 0,
});
