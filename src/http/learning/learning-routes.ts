import { type Static, Type } from '@sinclair/typebox';
import { Amount, Count, ListOf, ObjectOf, OneOf, orNull, Seconds, Text } from '../../answer/schema-parts.ts';
import { ServiceError } from '../../errors.ts';
import type { SavedFeed } from '../../feeds/saved-feed.ts';
import { changeModel, readModel } from '../../ingest/learnt-models.ts';
import { LIMITS } from '../../limits.ts';
import { DEFAULT_SCORE, signalKey } from '../../model/signal-key.ts';
import { objectOf, recordType, required } from '../../model/values/record-type.ts';
import * as type from '../../model/values/values.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Service } from '../../service.ts';
import type { FeedModel } from '../../state/learning/models.ts';
import { configIdParameter } from '../configs/config-routes.ts';
import { CONFIGS, type Keyed } from '../identity/admissions.ts';
import { namedObject } from '../openapi/schema.ts';
import { json } from '../transport/answers.ts';
import { bodyOf } from '../transport/body.ts';
import { route } from '../transport/route.ts';

const ACTIONS = ['freeze', 'thaw', 'reset'] as const;

const Weight = (description: string, example: number) => Type.Number({ description, example });

const ArmSchema = (of: string) =>
  ObjectOf(`Pages of viewers ${of}, since they are compared.`, {
    pages: Count('Pages whose acts are counted.', 2_400),
    acts_per_page: orNull(Amount('Items of a page that its viewer acted on, on average.', 0.42), 'no pages.'),
    ci_low: orNull(
      Type.Number({ description: 'The lower end of its 95 % interval.', example: 0.39 }),
      'too few.',
    ),
    ci_high: orNull(Type.Number({ description: 'The upper end.', example: 0.45 }), 'too few.'),
  });

const LearningSchema = namedObject('Learning', 'What a feed has learnt from its shown pages.', {
  feed_id: Text('The feed.', 'feed_1'),
  feed_type: Text('Its type.', 'for-you'),
  status: OneOf(
    ['learning', 'frozen', 'fell_back'],
    '`frozen`: it keeps its weights. `fell_back`: all viewers get the default scoring function, because pages by the learnt weights had fewer acts. It stays so until it is reset.',
    'learning',
  ),
  fell_back_at: Type.Optional(Seconds('When it fell back.')),
  pages: Count('Pages with several items and an act that it learnt from.', 2_312),
  acts: Count('Acts on pages that are compared.', 1_011),
  intercept: Weight('What is added to the terms of all items.', -2.1),
  weights: ListOf(
    'The weights of signals, and of `default`, the score of the default scoring function.',
    ObjectOf('A weight.', {
      signal: Text('The signal.', 'click_rate'),
      used: Weight('What pages are ordered by: between the prior and what was learnt.', 0.8),
      learnt: Weight('What the pages of this feed alone say.', 1.1),
      prior: Weight('What is used as long as the feed has no pages: learnt from all feeds of the type.', 0.2),
    }),
  ),
  control: ArmSchema('who get the default scoring function, 5 % of all'),
  learned: ArmSchema('who get the learnt order'),
  history: ListOf(
    'The weights that were used, hourly while it learnt, for 90 days, oldest first.',
    ObjectOf('The weights of a moment.', {
      at: Seconds('The moment.'),
      pages: Count('Pages that it had learnt from.', 1_870),
      weights: Type.Record(Type.String(), Type.Number(), {
        description: 'Weights by signal.',
        example: { default: 1, click_rate: 0.7 },
      }),
    }),
  ),
});

const AnswerSchema = ObjectOf('The answer.', { data: LearningSchema });

const CHANGE = recordType('LearningChange', 'What to do with what a feed has learnt.', {
  feed_id: required(type.text(), 'The feed.', 'feed_1'),
  action: required(
    type.word(ACTIONS),
    '`freeze` keeps the weights as they are, `thaw` lets it learn again, and `reset` forgets what this feed learnt, its comparison with the control, and that it fell back.',
    'freeze',
  ),
});

const EXAMPLES = {
  freeze: { summary: 'Keep the weights as they are', value: { feed_id: 'feed_1', action: 'freeze' } },
};

const DOCS = { tag: 'Learning' } as const;
const PATH = '/api/learning';

/** `/api/learning`: what feeds have learnt from shown pages. */
export const learningRoutes = [
  route('GET', PATH, {
    admit: CONFIGS,
    answered_by: 'current',
    query: { feed_id: configIdParameter('is required') },
    answer: json(AnswerSchema),
    docs: {
      ...DOCS,
      id: 'readLearning',
      summary: 'What a feed has learnt',
      description:
        'Returns the weights of a saved feed of the account, how they came about, and what the control says.',
      errors: ['not_found', 'store_unavailable'],
    },
    async handle({ service, principal: { account }, query: { feed_id } }) {
      return { data: await learningOf(service, ownFeed(service, feed_id, account)) };
    },
  }),
  route('PATCH', PATH, {
    admit: CONFIGS,
    answered_by: 'leader',
    body: bodyOf(objectOf(CHANGE), {
      bytes_max: LIMITS.config_body_bytes_max,
      docs: { description: 'The feed, and what to do.', examples: EXAMPLES },
    }),
    answer: json(AnswerSchema),
    docs: {
      ...DOCS,
      id: 'changeLearning',
      summary: 'Freeze, thaw or reset what a feed has learnt',
      description:
        'Changes how a saved feed of the account learns. The next page of every viewer obeys. The audit log names it.',
      errors: ['not_found', 'store_unavailable'],
    },
    async handle({ service, principal: { account, actor }, body: { feed_id, action } }) {
      const feed = ownFeed(service, feed_id, account);
      await changeModel(service, feed, { action, actor });
      return { data: await learningOf(service, feed) };
    },
  }),
];

/** @throws ServiceError `not_found`, also for feeds of other accounts */
function ownFeed({ saved_feeds }: Keyed['service'], feed_id: string, account: string): SavedFeed {
  const feed = saved_feeds.read(feed_id, account);
  if (feed.account !== account)
    throw new ServiceError('not_found', `the feed '${feed_id}' is of another account`);
  return feed;
}

async function learningOf(service: Service, feed: SavedFeed): Promise<Static<typeof LearningSchema>> {
  const { model, history: stored } = await readModel(service, feed);
  const names = signalNames(service.registry);
  const history = stored.map(({ at, pages, weights }) => ({
    ...{ at: Math.floor(at), pages },
    weights: Object.fromEntries(
      weights.flatMap(([key, weight]) => (names.has(key) ? [[names.get(key), weight]] : [])),
    ),
  }));
  const of_feed = { feed_id: feed.feed_id, feed_type: feed.feed_type };
  if (model === undefined) return { ...of_feed, ...NOTHING, history };
  const { pages, intercept, control, learned } = model;
  const weights = model.keys.flatMap((key) => {
    const [signal, prior, used] = [names.get(key), model.priorOf(key), model.weightOf(key)];
    return signal === undefined ? [] : [{ signal, used, learnt: model.learntOf(key) ?? prior, prior }];
  });
  const acts = control.acts + learned.acts;
  const numbers = { pages, acts, intercept, weights, control: armOf(control), learned: armOf(learned) };
  return { ...of_feed, ...statusOf(model), ...numbers, history };
}

const NO_PAGES = { pages: 0, acts_per_page: null, ci_low: null, ci_high: null };
const NOTHING = {
  ...{ status: 'learning' as const, pages: 0, acts: 0, intercept: 0, weights: [] },
  ...{ control: NO_PAGES, learned: NO_PAGES },
};

function statusOf({ fell_back_at, is_frozen }: FeedModel) {
  if (fell_back_at > 0) return { status: 'fell_back' as const, fell_back_at: Math.floor(fell_back_at) };
  return { status: is_frozen ? ('frozen' as const) : ('learning' as const) };
}

function armOf({ pages, acts, interval }: FeedModel['control']) {
  const [ci_low, ci_high] = interval ?? [null, null];
  return { pages, acts_per_page: pages === 0 ? null : acts / pages, ci_low, ci_high };
}

/** The names of loaded signals by the keys that models have. */
function signalNames(registry: Registry): Map<number, string> {
  const names = [...registry.ids('signals'), DEFAULT_SCORE];
  return new Map(names.map((name) => [signalKey(name), name]));
}
