import { type FeedItem, FeedloomClient } from 'feedloom-client';

/** The page of the example. */

type Wanted = Parameters<FeedloomClient['forYou']>[0];

/** What the reader really saw is reported, so no page counts as seen when it is sent. */
const PAGE: Wanted = { top_k: 10, impression_count: 10, mark_seen: false, return_metadata: true };
const NEWEST_FIRST: Wanted = {
  scoring: 'newest_v0.0.1',
  seen: { mode: 'show' },
  show_interacted_items: true,
};
/** Requested here as they are. An app in use saves them, and requests each by its `feed_id`. */
const TABS: Record<string, Wanted> = {
  'For you': { seen: { mode: 'last' } },
  Following: { ...NEWEST_FIRST, filters: { author_ids: 'following' } },
  Latest: NEWEST_FIRST,
};

function find<E extends HTMLElement>(selector: string, type: new () => E, parent: ParentNode = document): E {
  const element = parent.querySelector(selector);
  if (!(element instanceof type)) throw new Error(`the page lacks ${selector}`);
  return element;
}

const feed = find('#feed', HTMLElement);
const end = find('#end', HTMLElement);
const tabs = find('#tabs', HTMLElement);
const template = find('#post', HTMLTemplateElement);
const failure = find('#failure', HTMLElement);
const try_again = find('button', HTMLButtonElement, failure);

/** Does what the reader asked for. If that fails, says why, and offers to try again. */
async function attempt(work: () => Promise<void>): Promise<void> {
  failure.hidden = true;
  try {
    await work();
  } catch (error) {
    find('.reason', HTMLElement, failure).textContent =
      `This did not work: ${error instanceof Error ? error.message : error}`;
    try_again.onclick = () => void attempt(work);
    failure.hidden = false;
  }
}

/** Asks the server of the example. */
async function ask(path: string, body: object = {}) {
  const answer = await fetch(path, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

function elementOf({ item_id, metadata }: FeedItem, is_followed: boolean): HTMLElement {
  const element = find('article', HTMLElement, template.content.cloneNode(true) as DocumentFragment);
  find('.author', HTMLElement, element).textContent =
    metadata?.author.display_name || metadata?.author.user_id || '';
  find('.text', HTMLElement, element).textContent = metadata?.text ?? '';
  const like = find('.like', HTMLButtonElement, element);
  like.addEventListener('click', () => {
    const liked = like.getAttribute('aria-pressed') !== 'true';
    void attempt(async () => {
      await ask('/likes', { item_id, liked });
      like.setAttribute('aria-pressed', String(liked));
    });
  });
  const follow = find('.follow', HTMLButtonElement, element);
  follow.hidden = is_followed;
  follow.addEventListener('click', () => {
    void attempt(async () => {
      await ask('/follows', { user_id: metadata?.author.user_id });
      follow.disabled = true;
    });
  });
  return element;
}

/** Shows a feed from its start, and the next page whenever its end comes into view. Returns what ends that. */
function show(client: FeedloomClient, wanted: Wanted): () => void {
  feed.replaceChildren();
  end.textContent = '';
  let is_shown = true;
  let cursor: string | undefined;
  const items = new Map<Element, { item_id: string; page_id: string }>();
  /** Reports posts when half of them is on the screen. */
  const eyes = new IntersectionObserver(
    (entries) => {
      const on_screen = entries.filter(({ isIntersecting }) => isIntersecting).map(({ target }) => target);
      for (const target of on_screen) eyes.unobserve(target);
      const seen = on_screen.map((target) => items.get(target)!);
      for (const [page_id, of_page] of Map.groupBy(seen, (item) => item.page_id))
        void client.reportSeen({ page_id, item_ids: of_page.map(({ item_id }) => item_id) });
    },
    { threshold: 0.5 },
  );
  const nextPage = async (): Promise<void> => {
    const page = await client.forYou({ ...PAGE, ...wanted, cursor });
    if (!is_shown) return;
    for (const item of page.body) {
      const element = elementOf(item, wanted === TABS.Following);
      items.set(element, { item_id: item.item_id, page_id: page.page_id! });
      feed.append(element);
      eyes.observe(element);
    }
    cursor = page.cursor;
    if (cursor === undefined) end.textContent = 'You have seen everything.';
    // It is called at once if the end is still in view.
    else observer.observe(end);
  };
  const observer = new IntersectionObserver(([{ isIntersecting }]) => {
    if (!isIntersecting) return;
    observer.unobserve(end);
    void attempt(nextPage);
  });
  observer.observe(end);
  return () => {
    is_shown = false;
    observer.disconnect();
    eyes.disconnect();
  };
}

function showTabs(client: FeedloomClient): void {
  let leave = () => {};
  for (const [name, wanted] of Object.entries(TABS)) {
    const tab = document.createElement('button');
    tab.textContent = name;
    tab.addEventListener('click', () => {
      leave();
      for (const other of tabs.children) other.removeAttribute('aria-current');
      tab.setAttribute('aria-current', 'page');
      leave = show(client, wanted);
    });
    tabs.append(tab);
  }
  find('button', HTMLButtonElement, tabs).click();
}

const sign_in = find('#sign-in', HTMLFormElement);
sign_in.addEventListener('submit', (event) => {
  event.preventDefault();
  void attempt(async () => {
    const { feedloom_url } = await ask('/sign-in', Object.fromEntries(new FormData(sign_in)));
    sign_in.hidden = true;
    const token = async (): Promise<string> => (await ask('/token')).token;
    const write = find('#write', HTMLFormElement);
    write.hidden = false;
    write.addEventListener('submit', (posted) => {
      posted.preventDefault();
      void attempt(async () => {
        await ask('/posts', Object.fromEntries(new FormData(write)));
        write.reset();
      });
    });
    showTabs(new FeedloomClient({ url: feedloom_url, token }));
  });
});
