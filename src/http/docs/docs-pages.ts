import { Written } from '../transport/written-answer.ts';
import { packSite } from './docs-html.ts' with { type: 'macro' };
import type { Site } from './docs-html.ts';

const HTML_TYPE = 'text/html; charset=utf-8';
/** By the ending of the name. */
const PICTURE_TYPES: Readonly<Record<string, string>> = { svg: 'image/svg+xml', webp: 'image/webp' };

const unpacked = Bun.zstdDecompressSync(Buffer.from(packSite(), 'base64'));
const { list, pages, pictures, sections } = JSON.parse(`${unpacked}`) as Site;

/** The answer to `GET /docs`. */
export const DOCS_LIST = new Written(list, HTML_TYPE);

/** The answers to `GET /docs/<name>`: documents, the pictures in them, and what the search finds. */
export const DOCS = new Map([
  ...Object.entries(pages).map(([name, html]) => [name, new Written(html, HTML_TYPE)] as const),
  ...Object.entries(pictures).map(([name, base64]) => {
    const [ending] = name.split('.').slice(-1);
    return [name, new Written(Buffer.from(base64, 'base64'), PICTURE_TYPES[ending])] as const;
  }),
  ['sections.json', new Written(JSON.stringify(sections))] as const,
]);
