import { useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ItemPicker, ViewerPicker, viewer } from '../ui/pickers.tsx';
import { PicturesSwitch } from '../ui/picture.tsx';
import { useResource, useSettled } from '../ui/resource.ts';
import { type FeedChoice, needsViewer, pageOf } from './page-of.ts';
import { Posts } from './posts.tsx';
import { WhyNot } from './why-not.tsx';

/** A page follows when the feed did not change for this long. */
const SETTLED_MS = 50;

/** The page of a feed that is being edited, for a viewer who can be chosen. Nothing is saved or recorded. */
export function Preview({ endpoint, config }: { endpoint: string; config: object }) {
  const [is_asking, setAsking] = useState(false);
  const feed = { endpoint, config };
  return (
    <section class="preview" aria-label="Preview">
      <div class="preview-head">
        <ViewerPicker />
        <PicturesSwitch />
        <Button icon="search" onClick={() => setAsking(true)}>
          Why is a post missing?
        </Button>
      </div>
      <PageFor feed={feed} />
      {is_asking && <Asking feed={feed} onClose={() => setAsking(false)} />}
    </section>
  );
}

/** The page of a feed for the chosen viewer. It follows changes of both. */
export function PageFor({ feed }: { feed: FeedChoice }) {
  const user_id = viewer.value;
  const settled = useSettled(JSON.stringify(feed), SETTLED_MS);
  const page = useResource(
    (signal) => pageOf(JSON.parse(settled) as FeedChoice, user_id, signal),
    [settled, user_id],
  );
  return (
    <>
      {needsViewer(feed.endpoint, user_id) && (
        <p class="help">Choose a viewer for a personal page. Until then, this is the page of a newcomer.</p>
      )}
      <Posts page={page} />
    </>
  );
}

function Asking({ feed, onClose }: { feed: FeedChoice; onClose: () => void }) {
  const [item_id, setItem] = useState('');
  return (
    <Dialog title="Why is a post missing?" wide onClose={onClose}>
      <ViewerPicker />
      <ItemPicker item_id={item_id} onChoose={setItem} />
      {item_id !== '' && <WhyNot feed={feed} user_id={viewer.value} item_id={item_id} />}
    </Dialog>
  );
}
