import { Type } from '@sinclair/typebox';
import { Amount, Count, Flag, ListOf, ObjectOf, Seconds, Text } from '../../answer/schema-parts.ts';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import { MODERATORS } from '../identity/admissions.ts';
import { namedObject } from '../openapi/schema.ts';
import { readRoutes } from '../records/read-routes.ts';
import { json } from '../transport/answers.ts';
import { IMPRESSIONS_LISTED_MAX, INSIGHT_LISTED_MAX, viewerInsight } from './viewer-insight.ts';

const Share = Amount("Share of the viewer's latest acts, weighted by their kind.");

const values = (what: string) =>
  ListOf(
    `The strongest ${what}, strongest first.`,
    ObjectOf('An interest.', {
      value: Text('The value, as filters take it.'),
      share: Share,
    }),
    INSIGHT_LISTED_MAX,
  );

const ViewerInsightSchema = namedObject('ViewerInsight', 'What the service thinks that a viewer likes.', {
  user_id: Text('The viewer.', EXAMPLE_IDS.viewer),
  authors: ListOf(
    'Authors whom the viewer follows or acted on, closest first.',
    ObjectOf('An author.', {
      user_id: Text('The author.'),
      closeness: Amount('How close the author is to the viewer, by common items and acts on their items.'),
      share: Share,
      follows: Flag('Whether the viewer follows the author.'),
    }),
    INSIGHT_LISTED_MAX,
  ),
  channels: values('channels'),
  labels: values('labels'),
  languages: values('languages'),
  apps: values('apps'),
  cold_start: ObjectOf('Whether the viewer is cold, by the settings of the service.', {
    is_cold: Flag('Whether a feed with a cold start feed would use it.'),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'The rule, with its numbers. null: the viewer is not cold.',
    }),
    interactions: Count('Current likes, comments, shares and bookmarks.'),
    latest_at: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Time of the latest of them. null: none.',
    }),
    min_interactions: Count('A viewer with fewer is cold. A feed may have another limit.'),
    inactive_days: Type.Number({
      description: 'A viewer without one for longer is cold. A feed may have another limit.',
    }),
  }),
  shown_items: Count('Number of items that were recorded as shown.'),
  impressions: ListOf(
    'The latest impressions of at least two days, latest first.',
    ObjectOf('An impression.', {
      item_id: Text('The item.'),
      timestamp: Seconds('When it was shown.'),
    }),
    IMPRESSIONS_LISTED_MAX,
  ),
});

/** `GET /v2/community/users/<user_id>/insight`, and the same with the identifier in the query. */
export const viewerInsightRoutes = readRoutes('users', 'insight', {
  admit: MODERATORS,
  answered_by: 'current',
  answer: json(ViewerInsightSchema),
  docs: {
    tag: 'Stored records',
    id: 'viewerInsight',
    summary: 'What a viewer likes',
    description: `For moderators and the console: the authors, channels, labels, languages and apps that the latest acts of a viewer speak for, whether the viewer is cold, and the latest items that were recorded as shown.`,
    errors: ['not_found', 'store_unavailable'],
  },
  handle: ({ service, params: { id } }) => viewerInsight(service, id),
});
