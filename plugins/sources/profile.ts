import { bestOf, defineCandidateSource } from 'feedloom/plugin';

/** The items with the highest `profile`: one per two items of the page. */
export default defineCandidateSource({
  summary: "New items of the viewer's favourite authors, channels and labels.",
  proposes_for: 'profile',
  ...bestOf('profile', 0.5),
});
