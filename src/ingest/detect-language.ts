/** Detects the language of a text with the n-gram detector `eld` and its smallest data (60 languages). */

import { lengthWithin } from '../model/values/checks.ts';
import { otherNamesOf } from '../plugin/languages.ts';

const DETECTED =
  'am ar az be bg bn ca cs da de el en es et eu fa fi fil fr gu he hi hr hu hy is it ja ka kn ko ku lo lt lv ml mr ms nl no or pa pl pt ro ru sk sl sq sr sv ta te th tr uk ur vi yo zh'.split(
    ' ',
  );

/** Codes of the detector that are stored under another name. */
const STORED_AS: ReadonlyMap<string, string> = new Map([['tl', 'fil']]);

export interface DetectedLanguage {
  /** The primary subtag that items get. */
  language: string;
  /** Other subtags that mean the same in a filter. */
  also: string[];
}

/** Every language that can be detected, in alphabetical order. */
export function detectedLanguages(): DetectedLanguage[] {
  return DETECTED.map((language) => ({ language, also: otherNamesOf(language) }));
}

export interface LanguageDetector {
  /** Loads the detector's data once. Resolves when `detect` may be called. */
  load(): Promise<void>;
  /**
   * One of `detectedLanguages`, or undefined if the text is too short or the result is unreliable.
   *
   * Throws before `load` has resolved.
   */
  detect(text: string): string | undefined;
}

/** Minimum characters, without links and mentions, for a detection. */
const DETECTABLE_LENGTH_MIN = 20;

/** UTF-16 units that are cleaned, and of the rest, given to the detector, whose cost grows with them. */
const CLEANED_MAX = 2_000;
const DETECTED_MAX = 200;

/** Minimum distance of the two best scores. Closer scores are ambiguous. */
const SCORE_MARGIN_MIN = 0.01;

/** Links, mentions and hashes distract the detector, as they look like a language. Linear in the text. */
const LINKS_AND_MENTIONS =
  /\b[a-z][a-z0-9+.:-]{0,60}:\/\/\S+|\bwww\.\S+|(?<![\w.])@[\w.-]+|\b0x[0-9a-f]{6,}\b/gi;

type Eld = typeof import('eld/extrasmall')['eld'];

/**
 * Makes a detector, which shares its data (37 MB in memory) with all detectors of the process.
 *
 * The import is dynamic, so that commands without detection do not load the data.
 */
export function createLanguageDetector(): LanguageDetector {
  let eld: Eld | undefined;
  return {
    async load() {
      eld ??= (await import('eld/extrasmall')).eld;
    },
    detect(text) {
      if (eld === undefined) throw new Error('the language detector is not loaded');
      const words = text.slice(0, CLEANED_MAX).replace(LINKS_AND_MENTIONS, ' ').trim();
      if (lengthWithin(words, DETECTABLE_LENGTH_MIN - 1)) return undefined;
      const result = eld.detect(words.slice(0, DETECTED_MAX));
      if (result.language === '' || !result.isReliable()) return undefined;
      // eld documents this margin too, but compares a score with a language's number.
      const [best, second = 0] = Object.values(result.getScores());
      if (best - second < SCORE_MARGIN_MIN) return undefined;
      return STORED_AS.get(result.language) ?? result.language;
    },
  };
}
