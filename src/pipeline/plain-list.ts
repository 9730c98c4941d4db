import type { PageItem } from './page-item.ts';
import type { PageOptions } from './pipeline.ts';
import type { Request } from './request.ts';

/**
 * The first `wanted` items of what plain pages of `size` items cut, or all there are: whatever is wanted, the list
 * begins in the same way. It is made of parts, of which the first is one page long and each further one as long as
 * everything before it. A part is what a page of that length has for somebody who has seen those before it: its
 * sources propose as many candidates as for such a page. In one piece a longer list would have other candidates, and
 * begin otherwise, be it because more is read of a ranking of a moment ago, whose scores are other ones by now. Nothing is explored, as that would be drawn anew for each page. Costs at most twice what one list
 * of `wanted` items does.
 * @param request of the page
 * @param build as `buildPage` does of one feed
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
    const part_request = request.forPage(Math.max(size, list.length));
    scored_for ??= part_request;
    const part = build(part_request, { list, scored_for, explorable: 0 });
    for (const item of part) list.push(item);
    if (part.length < part_request.page_length) break;
  }
  return list.slice(0, wanted);
}
