import { type FeedItem, FeedloomClient } from 'feedloom-client';

/** The page of the example. */

const PAGE = { top_k: 10, return_metadata: true };

function find<E extends HTMLElement>(selector: string, type: new () => E, parent: ParentNode = document): E {
  const element = parent.querySelector(selector);
  if (!(element instanceof type)) throw new Error(`the page lacks ${selector}`);
  return element;
}

const feed = find('#feed', HTMLElement);
const end = find('#end', HTMLElement);
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

function elementOf({ item_id, metadata }: FeedItem): Node {
  const element = template.content.cloneNode(true) as DocumentFragment;
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
  return element;
}

/** Shows the feed from its start, and the next page whenever its end comes into view. */
function show(client: FeedloomClient): void {
  feed.replaceChildren();
  let cursor: string | undefined;
  const nextPage = async (): Promise<void> => {
    const page = await client.forYou({ ...PAGE, cursor });
    feed.append(...page.body.map(elementOf));
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
    show(new FeedloomClient({ url: feedloom_url, token }));
  });
});
