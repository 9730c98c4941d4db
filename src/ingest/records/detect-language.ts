/** The language of a text whose publisher did not say it: the n-gram detector `eld`, smallest data (60 languages). */
import { lengthWithin } from './checks.ts';

export interface LanguageDetector {
  /** Loads the detector's data, once; resolves when `detect` may be called. */
  load(): Promise<void>;
  /**
   * ISO 639-1 code, or undefined when there is too little text or the answer is not reliable. Throws when
   * `load` has not resolved.
   */
  detect(text: string): string | undefined;
}

/** Characters, without links and mentions, below which no language is guessed. */
const DETECTABLE_LENGTH_MIN = 20;

/** UTF-16 units that are cleaned, and of what remains, given to the detector: its cost grows with them. */
const CLEANED_MAX = 2_000;
const DETECTED_MAX = 200;

/** Least distance of the two best scores: closer, the text may be in either language. */
const SCORE_MARGIN_MIN = 0.01;

/** Links, mentions and hashes say nothing of the language, but look like one. Linear in the text. */
const LINKS_AND_MENTIONS =
  /\b[a-z][a-z0-9+.:-]{0,60}:\/\/\S+|\bwww\.\S+|(?<![\w.])@[\w.-]+|\b0x[0-9a-f]{6,}\b/gi;

type Eld = typeof import('eld/extrasmall')['eld'];

/**
 * A detector without data; the data (37 MB in memory) is shared by all detectors of the process. The import
 * is dynamic, so commands that detect nothing do not pay for it.
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
      // eld means to ask for this margin too, but compares a score with a language's number.
      const [best, second = 0] = Object.values(result.getScores());
      return best - second < SCORE_MARGIN_MIN ? undefined : result.language;
    },
  };
}
