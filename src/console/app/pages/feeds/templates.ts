import { api } from '../../session.ts';
import type { Config, Endpoint } from './feed.ts';
import { DIVERSE, FOLLOWING, FOR_YOU, LATEST, newcomersConfig, SEEN_LAST } from './starting-configs.ts';

/** A feed to begin with. It works with the data of any network. */
export interface Template {
  id: string;
  title: string;
  text: string;
  endpoint: Endpoint;
  /** What has to be chosen: values of this filter. */
  asks?: { filter: 'channels' | 'languages' | 'geo_locations'; label: string };
  /** @param values what was chosen */
  configOf: (values: readonly string[]) => Config | Promise<Config>;
}

const WITHOUT_SEEN: readonly Template[] = [
  {
    id: 'for-you',
    title: 'For you',
    text: 'A personal page: what the viewer and similar users like, and whom they follow.',
    endpoint: 'feeds/for-you',
    configOf: () => FOR_YOU,
  },
  {
    id: 'trending',
    title: 'Trending',
    text: 'What will gather likes, comments and shares in the next hours.',
    endpoint: 'feeds/trending',
    configOf: () => ({ feed_diversity_config: DIVERSE, return_global_fallback: true }),
  },
  {
    id: 'popular',
    title: 'Popular',
    text: 'What has the most likes, comments and shares of the last 7 days.',
    endpoint: 'feeds/popular',
    configOf: () => ({ scoring: '7day', feed_diversity_config: DIVERSE }),
  },
  {
    id: 'latest',
    title: 'Latest',
    text: 'The newest posts first, with those that the viewer has seen.',
    endpoint: 'feeds/for-you',
    configOf: () => LATEST,
  },
  {
    id: 'following',
    title: 'Following, newest first',
    text: 'The newest posts of the users whom the viewer follows, with those that the viewer has seen.',
    endpoint: 'feeds/for-you',
    configOf: () => FOLLOWING,
  },
  {
    id: 'newcomers',
    title: 'Cold start for newcomers',
    text: 'A good first impression: popular posts of many authors, without unwanted labels. Choose it as the cold start of another feed.',
    endpoint: 'feeds/popular',
    configOf: async () => newcomersConfig(await unwantedLabels()),
  },
  {
    id: 'channel',
    title: 'One channel',
    text: 'A personal page of the posts of a channel, or of a few.',
    endpoint: 'feeds/for-you',
    asks: { filter: 'channels', label: 'Channels' },
    configOf: (channels) => ({ filters: { channels } }),
  },
  {
    id: 'language',
    title: 'One language',
    text: 'A personal page of posts in the languages that you choose.',
    endpoint: 'feeds/for-you',
    asks: { filter: 'languages', label: 'Languages' },
    configOf: (languages) => ({ filters: { languages }, feed_diversity_config: DIVERSE }),
  },
  {
    id: 'video',
    title: 'Video only',
    text: 'A personal page of posts with a video.',
    endpoint: 'feeds/for-you',
    configOf: () => ({ filters: { publication_types: ['video'] }, feed_diversity_config: DIVERSE }),
  },
  {
    id: 'near',
    title: 'Near a place',
    text: 'What is popular around some places.',
    endpoint: 'feeds/popular',
    asks: { filter: 'geo_locations', label: 'Places (latitude, longitude)' },
    configOf: (geo_locations) => ({ filters: { geo_locations }, scoring: '30day' }),
  },
  {
    id: 'empty',
    title: 'Empty',
    text: 'A personal page with nothing else set.',
    endpoint: 'feeds/for-you',
    configOf: () => ({}),
  },
];

export const TEMPLATES: readonly Template[] = WITHOUT_SEEN.map((template) => ({
  ...template,
  configOf: async (values) => ({ ...SEEN_LAST, ...(await template.configOf(values)) }),
}));

/** Labels that classifiers give to what newcomers should not see. */
const UNWANTED = /^(spam|scam|nsfw|porn|sexual|violence|hate|harassment|toxic|abuse|llm_generated)/;

/** Those labels that posts of this network have. */
async function unwantedLabels(): Promise<string[]> {
  const { values } = await api().call('GET', '/v2/{network}/values', {
    query: { filter: 'ai_labels', limit: 100 },
  });
  return values.map(({ value }) => value).filter((value) => UNWANTED.test(value));
}
