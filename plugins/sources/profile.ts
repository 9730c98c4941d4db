import { bestOf, defineCandidateSource } from 'feedloom/plugin';

export default defineCandidateSource({
  summary: "New items of the viewer's favourite authors, channels and labels.",
  proposes_for: 'profile',
  ...bestOf('profile', 0.5),
});
