import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { LIMITS } from '../limits.ts';
import { link } from '../model/values/link.ts';

export interface HtmlContent {
  /** Without markup and with decoded entities. Runs of whitespace become one blank, and blocks begin a line. */
  text: string;
  /** The http(s) URLs of links and embeds in order, without duplicates, up to the length of a list. */
  links: string[];
}

/** Elements whose content is not visible. */
const UNREAD: ReadonlySet<string> = new Set(
  'script style template iframe noembed noframes noscript title head'.split(' '),
);

/** Elements that begin and end a line. */
const BLOCKS: ReadonlySet<string> = new Set(
  'address article aside blockquote body br caption dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table td th tr ul'.split(
    ' ',
  ),
);

/** The attribute with the URL of a link or an embed. */
const LINKED_BY: ReadonlyMap<string, string> = new Map([
  ['a', 'href'],
  ['area', 'href'],
  ...['audio', 'embed', 'iframe', 'img', 'source', 'video'].map((tag): [string, string] => [tag, 'src']),
]);

/** Classes of links to users and tags, and of pictures within the text, in forums and social networks. */
const NO_LINKS: ReadonlySet<string> = new Set(['mention', 'hashtag', 'hashtag-cooked', 'emoji', 'avatar']);

/** Reads any HTML, even if broken. Linear in its length, because opening and closing tags are not matched. */
export function readHtml(html: string): HtmlContent {
  const reader = new HtmlReader(html);
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, reader);
  tokenizer.write(html);
  tokenizer.end();
  return { text: reader.text, links: [...reader.links] };
}

class HtmlReader implements TokenizerCallbacks {
  text = '';
  readonly links = new Set<string>();
  /** The separator between the text so far and the next text: nothing, a blank or a line end. */
  private gap: '' | ' ' | '\n' = '';
  /** The current invisible element, and the number of open elements of that name. */
  private unread = { tag: '', depth: 0 };
  private tag = '';
  private attribute = '';
  private value = '';
  private url = '';
  private classes = '';

  constructor(private readonly html: string) {}

  ontext(start: number, end: number): void {
    if (this.unread.depth === 0) this.add(this.html.slice(start, end));
  }

  ontextentity(code_point: number): void {
    if (this.unread.depth === 0) this.add(String.fromCodePoint(code_point));
  }

  onopentagname(start: number, end: number): void {
    this.tag = this.html.slice(start, end).toLowerCase();
    this.url = '';
    this.classes = '';
    if (BLOCKS.has(this.tag)) this.gap = '\n';
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.html.slice(start, end).toLowerCase();
    this.value = '';
  }

  onattribdata(start: number, end: number): void {
    this.value += this.html.slice(start, end);
  }

  onattribentity(code_point: number): void {
    this.value += String.fromCodePoint(code_point);
  }

  onattribend(): void {
    if (this.attribute === 'class') this.classes = this.value;
    else if (this.attribute === LINKED_BY.get(this.tag)) this.url = this.value;
  }

  onopentagend(): void {
    const { unread, tag } = this;
    if (unread.depth === 0) {
      if (this.url !== '') this.addLink();
      if (UNREAD.has(tag)) this.unread = { tag, depth: 1 };
    } else if (tag === unread.tag) unread.depth++;
  }

  onselfclosingtag(): void {
    this.onopentagend();
  }

  onclosetag(start: number, end: number): void {
    const tag = this.html.slice(start, end).toLowerCase();
    if (BLOCKS.has(tag)) this.gap = '\n';
    if (this.unread.depth > 0 && tag === this.unread.tag) this.unread.depth--;
  }

  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onprocessinginstruction(): void {}

  private add(chunk: string): void {
    const collapsed = chunk.replace(/[\t\n\f\r ]+/g, ' ');
    if (collapsed.startsWith(' ')) this.gap ||= ' ';
    const from = collapsed.startsWith(' ') ? 1 : 0;
    const words = collapsed.slice(from, collapsed.endsWith(' ') ? -1 : undefined);
    if (words === '') return;
    this.text += (this.text === '' ? '' : this.gap) + words;
    this.gap = collapsed.endsWith(' ') ? ' ' : '';
  }

  private addLink(): void {
    if (this.links.size >= LIMITS.list_length_max) return;
    if (this.classes.split(/\s+/).some((name) => NO_LINKS.has(name))) return;
    const url = this.url.trim();
    // Forums omit the scheme in URLs of their own host.
    const checked = link(url.startsWith('//') ? `https:${url}` : url);
    if (typeof checked === 'string') this.links.add(checked);
  }
}
