import type { ItemContent } from '../model/records/item.ts';
import { hashtagsOf, tagOf, wordsOf } from '../plugin/words.ts';
import { readableText } from './readable-text.ts';

/**
 * The words of an item, apart for its text and for each tag, title of a link and description of an image, as a phrase
 * stays within one of them. The name of a tag is a word with `#`, before the words in it. Tags in the text count if the
 * item has no others.
 */
export function itemWords(content: ItemContent): string[][] {
  const text = readableText(content) ?? '';
  const { tags = [], link_titles = [], alt_texts = [] } = content;
  const of_tags = tags.length > 0 ? tags.map(tagWords) : hashtagsOf(text).map((tag) => [tag]);
  const texts = [text, ...link_titles, ...alt_texts].map(wordsOf);
  return [...texts, ...of_tags].filter((words) => words.length > 0);
}

function tagWords(name: string): string[] {
  const tag = tagOf(name);
  // The emoji of a number sign is a word, but no name.
  return tag === undefined ? wordsOf(name) : [tag, ...wordsOf(name)];
}
