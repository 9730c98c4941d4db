/** What stands below one heading of a document. */
export interface Section {
  /** Anchor of the heading. */
  id: string;
  /** 1 for the title. */
  level: number;
  title: string;
  /** Without marks. An empty line follows each paragraph. */
  text: string;
}

/** Code units that no document has: the beginning of a section, and the ends of the parts of its heading. */
const [SECTION, PART] = ['\u0001', '\u0002'];

/** The sections of a document in order. The text before the first heading is left out. */
export function sectionsOf(markdown: string): Section[] {
  const line = (children: string): string => `${children}\n`;
  const paragraph = (children: string): string => `${children}\n\n`;
  const cell = (children: string): string => `${children} `;
  const text = Bun.markdown.render(
    markdown,
    {
      heading: (title, { id, level }) => `${SECTION}${id}${PART}${level}${PART}${title}${PART}`,
      paragraph,
      code: line,
      listItem: line,
      tr: line,
      td: cell,
      th: cell,
      image: () => '',
    },
    { headings: { ids: true }, noHtmlBlocks: true, noHtmlSpans: true },
  );
  const sections = text.split(SECTION).slice(1);
  return sections.map((section) => {
    const [id, level, title, rest] = section.split(PART);
    return { id, level: Number(level), title, text: rest.trim() };
  });
}
