import { defineCandidateSource, Type } from 'feedloom/plugin';

/** The items with the highest `profile`: new ones of the viewer's favourite authors, channels and labels. */
export default defineCandidateSource({
  summary: "New items of the viewer's favourite authors, channels and labels.",
  proposes_for: 'profile',
  options: Type.Object({ per_item: Type.Integer({ minimum: 1, maximum: 100, default: 1 }) }),
  compile:
    ({ per_item }) =>
    (request) =>
      request.best('profile', Math.ceil(Math.max(1, request.effort * per_item) * request.page_length)),
});
