import type { MemberCheck } from './member-checks.ts';
import type { Scaffold } from './template.ts';

/** The members of an extension, before they are checked. */
export type Unchecked = Readonly<Record<string, unknown>>;

/** All that the service knows of one kind of extension, besides running it. */
export interface KindData<E> {
  /** What one extension is, in words. */
  title: string;
  /** Whether ids end with a version. */
  versioned: boolean;
  /**
   * How each member besides `summary` and `options` is checked, in the order of error texts. Others are refused.
   *
   * Extensions of a kind without `reads` get no request.
   */
  members: Readonly<Record<Exclude<keyof E, 'summary' | 'options'>, MemberCheck>>;
  /** The fault of valid members together, as the text after the id; undefined if there is none. */
  problem?(extension: Unchecked): string | undefined;
  /** Whether no configuration sets the options, so that each needs a default. */
  hasDefaultsOnly?(extension: Unchecked): boolean;
  /** Options that switch the extension off, so it never gets them. */
  switched_off_by?: readonly string[];
  /** What names an extension to use it, in Markdown. */
  usedBy(id: string, extension: E): string;
  /** Working extensions by the word that `feedloom plugins new` takes. */
  templates: Readonly<Record<string, Scaffold>>;
}
