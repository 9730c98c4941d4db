import type { StoredUser } from '../../../../openapi/client/src/index.ts';

export type Act = StoredUser['interactions'][number]['event_type'];

/** What people did, in the order in which they are offered. */
export const ACTS: Readonly<Record<Act, string>> = {
  like: 'Liked',
  comment: 'Commented',
  share: 'Shared',
  bookmark: 'Saved',
  view: 'Viewed',
  hide: 'Hid',
  report: 'Reported',
};
