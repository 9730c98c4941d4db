/** Which items an entry of words matches, slow and obvious, and texts in ten scripts to try it with. */
import fc from 'fast-check';

/** The texts of an item that words are searched in. */
export interface Texts {
  text: string;
  tags: string[];
  link_titles: string[];
  alt_texts: string[];
}

/** Letters of scripts that are written without blanks, with their marks. */
const PAIRED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]\p{M}*$/u;
const CODE_LANGUAGE = /^[a-z](\+\+|#)$/;
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;
/** Ends a run of letters without blanks. */
const GAP = ' ';

function fold(text: string): string {
  const letters = [...text.normalize('NFKC')].map((letter) =>
    letter === 'ı' ? letter : letter.toLowerCase().toUpperCase().toLowerCase().replace('ς', 'σ'),
  );
  return letters
    .join('')
    .normalize('NFKC')
    .replaceAll(/[‘’ʼ׳]/g, "'");
}

const EMOJI = /\p{Extended_Pictographic}|\p{RI}|\u20e3/u;
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Letters with their marks, and emoji, which the library of the runtime finds. */
const graphemesOf = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);

/** The folded text without ignorable characters except those that join an emoji. */
function visible(text: string): string {
  const parts = graphemesOf(fold(text)).map((part) =>
    part.replaceAll(EMOJI.test(part) ? /\ufe0e|\ufe0f/g : IGNORED, ''),
  );
  return parts.join('').normalize('NFKC');
}

/** The words in a text, with each letter of a script without blanks for itself, and a gap after each run of them. */
function atomsOf(text: string): string[] {
  const atoms: string[] = [];
  let word = '';
  const end = () => {
    if (word !== '') atoms.push(word);
    else if (PAIRED.test(atoms.at(-1) ?? '')) atoms.push(GAP);
    word = '';
  };
  // A grapheme of Khmer or Devanagari may contain several letters.
  const parts = graphemesOf(visible(text)).flatMap((part) =>
    EMOJI.test(part) ? [part] : (part.match(/\P{M}\p{M}*/gu) ?? []),
  );
  for (const [index, part] of parts.entries()) {
    const after = parts.slice(index, index + 3).join('');
    const sign = /^(?:#(?![#_\p{L}\p{N}])|\+\+(?![+_\p{L}\p{N}]))/u.exec(after)?.[0] ?? '';
    if (PAIRED.test(part)) {
      if (word !== '') end();
      atoms.push(part);
    } else if (EMOJI.test(part)) {
      end();
      atoms.push(part);
    } else if (/^[\p{L}\p{N}]/u.test(part)) {
      if (word === '') end();
      word += part;
    } else if (part === "'" && joins(word, parts[index + 1] ?? '')) {
      word += part;
    } else {
      if (CODE_LANGUAGE.test(word + sign)) word += sign;
      end();
    }
  }
  end();
  return atoms;
}

function joins(word: string, next: string): boolean {
  const base = word.replaceAll(/\p{M}/gu, '');
  if (PAIRED.test(next)) return false;
  return (/\p{L}$/u.test(base) && /^\p{L}/u.test(next)) || (/\d$/.test(base) && /^\d/.test(next));
}

function nameOf(tag: string): string {
  return visible(tag)
    .replaceAll(/\s+/g, ' ')
    .replace(/^[# ]+/, '')
    .trim();
}

/** Hashtags in a text, character by character. */
function tagsIn(text: string): string[] {
  const letters = [...visible(text)];
  const tags: string[] = [];
  for (const [index, letter] of letters.entries()) {
    if (letter !== '#' || /[\p{L}\p{M}\p{N}_&/#]/u.test(letters[index - 1] ?? '')) continue;
    const rest = letters.slice(index + 1);
    const length = rest.findIndex((each) => !/[\p{L}\p{M}\p{N}_·・]/u.test(each));
    const name = rest.slice(0, length < 0 ? rest.length : length).join('');
    if (/\p{L}/u.test(name)) tags.push(name);
  }
  return tags;
}

/** Whether a list within a list occurs in it. `last` compares their last entries. */
function occurs(
  list: string[],
  wanted: string[],
  last = (atom: string, end: string) => atom === end,
): boolean {
  return list.some((_, start) =>
    wanted.every((each, index) => {
      const atom = list[start + index] ?? '';
      return index === wanted.length - 1 ? last(atom, each) : atom === each;
    }),
  );
}

/** Whether an entry matches an item. The entry is valid. */
export function matchesEntry({ text, tags, link_titles, alt_texts }: Texts, entry: string): boolean {
  const wanted = entry.normalize('NFKC').trim();
  if (/^#(?!\ufe0f?\u20e3)/u.test(wanted)) {
    return (tags.length > 0 ? tags.map(nameOf) : tagsIn(text)).includes(nameOf(wanted));
  }
  const atoms = atomsOf(wanted);
  const ends_paired = atoms.at(-1) === GAP;
  if (ends_paired) atoms.pop();
  // A single letter is found with any marks.
  const is_open = ends_paired ? !PAIRED.test(atoms.at(-2) ?? '') : wanted.endsWith('*');
  const last = is_open ? (atom: string, end: string) => atom.startsWith(end) : undefined;
  return [text, ...tags, ...link_titles, ...alt_texts].some((each) => occurs(atomsOf(each), atoms, last));
}

/** Words in Latin, Greek, Cyrillic, Arabic, Hebrew, Devanagari, Thai, Han, Kana, Hangul; and emoji. */
const WORDS = [
  ...[
    'jazz',
    'Straße',
    'STRASSE',
    "rock'n'roll",
    'cafe\u0301',
    'Café',
    'cafe',
    'ＪＡＺＺ',
    'c++',
    'c#',
    'late_night',
  ],
  ...[
    'ΟΔΟΣ',
    'οδος',
    'ὀδός',
    'Джаз',
    'джазовый',
    'п’ять',
    'ıspanak',
    'İzmir',
    '1’000',
    '2024',
    'synthesizer',
  ],
  ...['مُحَمَّد', 'محمد', 'می‌خواهم', 'שָׁלוֹם', 'שלום', 'हिन्दी', 'में', 'हिन्द', '음악을', '음악'],
  ...[
    'กี่',
    'ดนตรี',
    'น้ำ',
    '猫',
    '黒猫',
    '黒猫が好き',
    '音楽',
    'ラーメン',
    'ｶﾞｷﾞ',
    'か',
    'がか',
    'ລາວ',
    'ခေါ်',
    'ខ្មែរ',
  ],
  ...['🎷', '❤️', '❤', '👨‍👩‍👧', '👍🏽', '👍', '🇩🇪', '🇫🇷', '1️⃣', '#️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
  ...['#vinyl', '＃カメラ', '#Été', '#e\u0301te\u0301_2024', '#جاز', '#हिन्दी', 'x#no', '#1', '##a', '#'],
];
/** What stands between words. CJK is often written without anything between. */
const BETWEEN = [
  ' ',
  ' ',
  ' ',
  '',
  ', ',
  '。',
  '-',
  '\n',
  '\u200b',
  '\u00ad',
  "'",
  '_',
  '…',
  '/',
  '&',
  '#',
  '・',
];

const word = fc.constantFrom(...WORDS);
const written = fc.tuple(word, fc.constantFrom('NFC', 'NFD', 'upper', 'hidden')).map(([text, form]) => {
  if (form === 'upper') return text.toUpperCase();
  return form === 'hidden' ? text.replace(/^(\p{L}\p{M}*)(?=\p{L})/u, '$1\u00ad') : text.normalize(form);
});

/** A text of some words, some of which follow each other without a blank. */
export const anyText = fc
  .array(fc.tuple(written, fc.constantFrom(...BETWEEN)), { maxLength: 6 })
  .map((parts) => parts.flat().join(''));

const some = (entry: fc.Arbitrary<string>) => fc.array(entry, { maxLength: 2 });
export const anyTexts: fc.Arbitrary<Texts> = fc.record({
  text: anyText,
  tags: some(fc.oneof(word, fc.constantFrom('hip hop', 'Hip-Hop', '#vinyl', 'late_night'))),
  link_titles: some(anyText),
  alt_texts: some(anyText),
});

/** A text that may be an entry: a word, a phrase, the beginning of a word, or a hashtag. */
export const anyEntry = fc.oneof(
  written,
  fc.tuple(written, fc.constantFrom(' ', '-', ''), written).map((parts) => parts.join('')),
  word.map((text) => `${[...text].slice(0, 4).join('')}*`),
  fc.tuple(fc.constantFrom('#', '＃'), written).map((parts) => parts.join('')),
);
