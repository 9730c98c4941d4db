import { defineCandidateSource, Type } from 'feedloom/plugin';

/** The items with the highest `profile`: new ones of the viewer's favourite authors, channels and labels. */
export default defineCandidateSource({
  summary: "New items of the viewer's favourite authors, channels and labels.",
  proposes_for: 'profile',
  options: Type.Object({ per_item: Type.Number({ exclusiveMinimum: 0, maximum: 100, default: 0.5 }) }),
  compile:
    ({ per_item }) =>
    (request) =>
      request.best('profile', Math.ceil(per_item * request.page_length)),
});
