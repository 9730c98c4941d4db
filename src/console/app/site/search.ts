import { type Search, type Section, searchIn } from './section-search.ts';

/** Where the documents are. The script is in their folder, whatever path leads to it. */
const FOLDER =
  document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : location.href;

/** Loads the sections and makes their index. @throws Error if the service does not answer */
export async function loadSearch(): Promise<Search> {
  const answer = await fetch(new URL('sections.json', FOLDER));
  if (!answer.ok) throw new Error(`HTTP status ${answer.status}`);
  return searchIn((await answer.json()) as Section[], FOLDER);
}
