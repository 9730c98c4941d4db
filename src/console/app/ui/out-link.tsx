import type { ComponentChildren } from 'preact';

/** The URL if it is http(s); undefined for everything else, such as `javascript:`. */
export function webUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
}

/** A link to somewhere outside. What is no web address is shown as text. */
export function OutLink({ href, children = href }: { href: string; children?: ComponentChildren }) {
  if (webUrl(href) === undefined) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}

/** A web address within a text, without the punctuation that follows it. */
const ADDRESS = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}'])/;

/** A text in which web addresses are links. */
export function LinkedText({ text }: { text: string }) {
  return (
    <>
      {text
        .split(ADDRESS)
        .map((part, index) => (index % 2 === 1 ? <OutLink key={index} href={part} /> : part))}
    </>
  );
}
