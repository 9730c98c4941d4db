import { PageModel } from '../../learner/page-model.ts';
import type { ModelChange } from '../../model/changes/model.ts';
import { DEFAULT_SCORE_KEY } from '../../model/signal-key.ts';
import { FEED_TYPES, type FeedType } from '../../plugin/index.ts';
import { type ArmCounts, type ArmTotals, countPage, noCounts, totalsOf } from './arms.ts';
import type { ClosedPage } from './open-pages.ts';

/** Which model: of a saved feed, or with feed 0 the network's, from all pages of the type. */
export interface ModelName {
  feed_type: FeedType;
  feed: number;
}

/** What was learnt for a feed, and how it does. Weights are by `signalKey`. */
export interface FeedModel {
  /** Pages of the feed with an act that it learnt from. */
  pages: number;
  /** What pages are ordered by. */
  intercept: number;
  weightOf(key: number): number;
  /** The weight before the prior is taken into account; undefined if no page had the signal. */
  learntOf(key: number): number | undefined;
  /** The weight used as long as nothing is learnt. */
  priorOf(key: number): number;
  /** The signals that were on its pages, or that the prior knows. */
  keys: readonly number[];
  is_frozen: boolean;
  /** When it fell back to the default, because that got more acts, in seconds. 0: it did not. */
  fell_back_at: number;
  /** Whether the audit log says so. */
  is_fall_noted: boolean;
  learned: ArmTotals;
  control: ArmTotals;
}

interface StoredModel {
  /** `PageModel.numbers`. Empty: nothing is learnt. */
  numbers: Float64Array;
  is_frozen: boolean;
  /** While it is frozen: the numbers of the network's model as they were then. */
  frozen_prior: Float64Array;
  fell_back_at: number;
  /** Whether the audit log says so. */
  is_fall_noted: boolean;
  counts: ArmCounts;
}

type Lesson = Parameters<PageModel['learn']>[0];

/** The models of feeds and feed types. */
export class Models {
  static readonly transient = ['learners'];
  private readonly stored = new Map<number, StoredModel>();
  /** Made of the stored numbers when they are first needed. */
  private readonly learners = new Map<number, PageModel>();

  of(name: ModelName): FeedModel | undefined {
    const network_name = { ...name, feed: 0 };
    if (!this.stored.has(idOf(name)) && !this.stored.has(idOf(network_name))) return undefined;
    const network = name.feed === 0 ? undefined : this.priorOf(name);
    const prior = network?.used();
    const learner = this.learner(name);
    const { intercept, weightOf } = learner.used(prior);
    const { is_frozen, fell_back_at, is_fall_noted, counts } = this.stored.get(idOf(name)) ?? newModel();
    return {
      ...{ pages: learner.pages, intercept, weightOf, is_frozen, fell_back_at, is_fall_noted },
      learntOf: (key) => learner.learnt(key, prior),
      priorOf: prior?.weightOf ?? new PageModel(DEFAULT_SCORE_KEY).used().weightOf,
      keys: [...new Set([...learner.keys, ...(network?.keys ?? [])])],
      learned: totalsOf(counts.whole, 'learned'),
      control: totalsOf(counts.whole, 'control'),
    };
  }

  /** All that are stored. */
  *names(): Generator<ModelName> {
    for (const id of this.stored.keys())
      yield { feed_type: FEED_TYPES[id % FEED_TYPES.length], feed: Math.floor(id / FEED_TYPES.length) };
  }

  /** Those that fell back. */
  get fallen(): ModelName[] {
    return [...this.names()].filter((name) => this.stored.get(idOf(name))!.fell_back_at > 0);
  }

  /** Learns from a page of a feed. */
  learn({ feed_type, feed }: ModelName, lesson: Lesson): void {
    const network = { feed_type, feed: 0 };
    this.learnOne(network, lesson);
    if (feed !== 0) this.learnOne({ feed_type, feed }, lesson, this.learner(network));
  }

  /** Counts a page for the comparison of the learnt order with the default. */
  count(page: ClosedPage, acts: number, now: number): void {
    if (page.feed === 0 || page.is_control === page.is_learned) return;
    const model = this.model(page);
    if (model.fell_back_at > 0) return;
    const arm = page.is_control ? 'control' : 'learned';
    if (countPage(model.counts, arm, page.viewer, acts, page.slots[0] === 1)) model.fell_back_at = now;
  }

  /** Freezes, thaws or resets a model. */
  change({ action, ...name }: Pick<ModelChange, 'action' | 'feed_type' | 'feed'>): void {
    if (action === 'reset') {
      this.stored.delete(idOf(name));
      this.learners.delete(idOf(name));
    } else if (action === 'fall_back') this.noteFall(name);
    else if (action !== 'stored') this.freeze(name, action === 'freeze');
  }

  /** Of a model that was reset meanwhile, there is no fall to note. */
  private noteFall(name: ModelName): void {
    const model = this.stored.get(idOf(name));
    if (model !== undefined) model.is_fall_noted = model.fell_back_at > 0;
  }

  /** A frozen model keeps its prior, too, so that pages stay as they are. */
  private freeze(name: ModelName, is_frozen: boolean): void {
    const model = this.model(name);
    if (is_frozen === model.is_frozen) return;
    const network = is_frozen ? this.stored.get(idOf({ ...name, feed: 0 })) : undefined;
    model.is_frozen = is_frozen;
    model.frozen_prior = network?.numbers.slice() ?? new Float64Array();
  }

  private priorOf({ feed_type, feed }: ModelName): PageModel {
    const model = this.stored.get(idOf({ feed_type, feed }));
    return model?.is_frozen ? madeOf(model.frozen_prior) : this.learner({ feed_type, feed: 0 });
  }

  private learnOne(name: ModelName, lesson: Lesson, network?: PageModel): void {
    const model = this.model(name);
    if (model.is_frozen) return;
    const learner = this.learner(name);
    learner.learn(lesson, network?.used());
    // The same ones that the learner changes.
    model.numbers = learner.numbers();
  }

  private model(name: ModelName): StoredModel {
    const known = this.stored.get(idOf(name));
    if (known !== undefined) return known;
    const model = newModel();
    this.stored.set(idOf(name), model);
    return model;
  }

  private learner(name: ModelName): PageModel {
    const known = this.learners.get(idOf(name));
    if (known !== undefined) return known;
    const stored = this.stored.get(idOf(name));
    const learner = madeOf(stored?.numbers);
    // One that has learnt nothing is soon made again.
    if (stored !== undefined) this.learners.set(idOf(name), learner);
    return learner;
  }
}

function madeOf(numbers: Float64Array = new Float64Array()): PageModel {
  const model = new PageModel(DEFAULT_SCORE_KEY);
  if (numbers.length > 0) model.restore(numbers);
  return model;
}

function newModel(): StoredModel {
  return {
    numbers: new Float64Array(),
    is_frozen: false,
    frozen_prior: new Float64Array(),
    fell_back_at: 0,
    is_fall_noted: false,
    counts: noCounts(),
  };
}

function idOf({ feed_type, feed }: ModelName): number {
  return feed * FEED_TYPES.length + FEED_TYPES.indexOf(feed_type);
}
