import type { PageItem } from './page-item.ts';
import type { PageOptions } from './pipeline.ts';
import { type Request, requestForFeed } from './request.ts';

/**
 * Builds the first `wanted` items of the list that plain pages of `size` items are cut from. Fewer if there are no
 * more.
 *
 * Lists of any length begin in the same way. To achieve that, the list is made of parts. The first part is one page
 * long, and each further part is as long as all parts before it. A part is the page of that length for a viewer who
 * has seen the parts before, with as many proposals as such a page. A longer list in one piece would have other
 * candidates, for example because more of a slightly outdated ranking is read. Nothing is explored, since each page
 * would draw again. Costs at most twice as much as one list of `wanted` items.
 * @param request the request of the page
 * @param build builds one feed's page, like `buildPage`
 */
export function buildPlainList(
  wanted: number,
  size: number,
  request: Request,
  build: (request: Request, options: PageOptions) => PageItem[],
): PageItem[] {
  const list: PageItem[] = [];
  let scored_for: Request | undefined;
  while (list.length < wanted) {
    const part_request = requestForFeed(request, Math.max(size, list.length));
    scored_for ??= part_request;
    const part = build(part_request, { list, scored_for, explorable: 0 });
    for (const item of part) list.push(item);
    if (part.length < part_request.page_length) break;
  }
  return list.slice(0, wanted);
}
