import type { VisibilityRule } from '../../plugin/index.ts';
import type { KindData } from '../kind-data.ts';
import { COMPILE, FUNCTION, READS } from '../member-checks.ts';
import { countOption } from '../template.ts';

export const visibility_rules: KindData<VisibilityRule> = {
  title: 'visibility rule',
  versioned: true,
  members: { compile: COMPILE, reads: READS, allows: FUNCTION },
  usedBy: (id) =>
    id.includes('/')
      ? `\`"visibility_rules": {"${id}": {…}}\`, with its options`
      : 'a switch of the feed or the request',
  templates: {
    visibility: {
      body: `
summary: 'Hides items with few likes of authors whom the viewer does not follow.',
${countOption('likes', 3)}
compile:
  ({ likes }) =>
  (request) => {
    const followed = new Set(request.user.following(request.viewer.user));
    // Runs once per item: may this viewer see it?
    return (item) => followed.has(request.item.author(item)) || request.item.likes_count(item) >= likes;
  },`,
      tests: `
viewer: 'vera',
users: { vera: { follows: ['ann'] } },
items: {
  friendly: { author_id: 'ann' },
  unliked: { author_id: 'bob', likes_count: 1 },
  liked: { author_id: 'bob', likes_count: 2 },
},
cases: [
  {
    name: 'shows items with enough likes and items of followed users',
    options: { likes: 2 },
    expect: ['friendly', 'liked'],
  },
],
refuses: [{ likes: 0 }],`,
    },
  },
};
