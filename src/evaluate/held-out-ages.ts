import { quantile } from '../statistics.ts';
import type { Timeline } from './timeline.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Factor by which items may age between the act and the page before they are no longer news. */
const OUTDATED_FACTOR = 4;
const OUTDATED_SECONDS = DAY;

/** Ages of held-out items at the time of the acts, and when the pages are built. */
export class HeldOutAges {
  private readonly created: Map<number, number>;
  private readonly at_act: number[] = [];
  private readonly at_page: number[] = [];
  private unknown = 0;

  /** @param page_time when the pages are built, seconds */
  constructor(
    timeline: Timeline,
    private readonly page_time: number,
  ) {
    this.created = timeline.created();
  }

  /** @param acted_at seconds; undefined if the file has no time */
  add(item: number, acted_at: number | undefined): void {
    const created_at = this.created.get(item);
    if (created_at === undefined || created_at > this.page_time) {
      this.unknown++;
      return;
    }
    this.at_page.push(this.page_time - created_at);
    if (acted_at !== undefined) this.at_act.push(Math.max(0, acted_at - created_at));
  }

  get about(): string[] {
    const { at_act, at_page, unknown } = this;
    const lines: string[] = [];
    const dated = [...at_page, ...at_act].some((age) => age > 0);
    if (!dated)
      lines.push('ages of held-out items: unknown, as the data has the same time for items and acts');
    if (dated && at_page.length > 0)
      lines.push(`age of held-out items when the pages are built: ${spread(at_page)}`);
    if (dated && at_act.length > 0)
      lines.push(`age of held-out items at the time of the acts: ${spread(at_act)}`);
    if (unknown > 0)
      lines.push(`held-out acts on items that are not in the data: ${unknown.toLocaleString('en-US')}`);
    return lines;
  }

  /** Why another protocol fits better; undefined if this one fits. */
  get advice(): string | undefined {
    const [acted, asked] = [quantile(this.at_act, 0.5), quantile(this.at_page, 0.5)];
    if (!(asked > OUTDATED_SECONDS && asked > OUTDATED_FACTOR * acted)) return undefined;
    return `half of the held-out items were less than ${spoken(acted)} old at the time of the acts, and are more than ${spoken(asked)} old on these pages. Feeds prefer new items, so these figures are low even for good feeds. feedloom evaluate replay builds each page at the time of the act and fits this data better.`;
  }
}

function spread(ages: readonly number[]): string {
  const [low, middle, high] = [0.1, 0.5, 0.9].map((share) => spoken(quantile(ages, share)));
  if (low === high) return `about ${middle}`;
  return `median ${middle}, 10 % under ${low}, 10 % over ${high}`;
}

/** A duration in its largest unit. */
function spoken(seconds: number): string {
  const [unit, name] = [[DAY, 'days'] as const, [HOUR, 'hours'] as const, [MINUTE, 'minutes'] as const].find(
    ([size]) => seconds >= 2 * size,
  ) ?? [1, 'seconds'];
  return `${Math.round(seconds / unit).toLocaleString('en-US')} ${name}`;
}
