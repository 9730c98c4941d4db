import { FeedSelect, FIRST_FEED, useFeedChoice } from '../preview/feed-select.tsx';
import { PageFor } from '../preview/preview.tsx';
import { WhyNot } from '../preview/why-not.tsx';
import { place, replaceQuery } from '../router.ts';
import { Head } from '../ui/layout.tsx';
import { ItemPicker, useViewerInAddress, ViewerPicker, viewer } from '../ui/pickers.tsx';
import { PicturesSwitch } from '../ui/picture.tsx';
import { Loaded } from '../ui/states.tsx';

/** Why a post is on a page or not, and how the page was built: `#/why?feed=feed_1&user=1393&item=0x07cb`. */
export function WhyPage() {
  const { query } = place.value;
  const value = query.get('feed') ?? FIRST_FEED;
  const item_id = query.get('item') ?? '';
  useViewerInAddress();
  const feed = useFeedChoice(value);
  return (
    <>
      <Head title="Why">
        <PicturesSwitch />
      </Head>
      <div class="questions">
        <FeedSelect label="Feed" value={value} onChange={(chosen) => replaceQuery({ feed: chosen })} />
        <ViewerPicker />
        <ItemPicker item_id={item_id} onChoose={(chosen) => replaceQuery({ item: chosen })} />
      </div>
      <Loaded resource={feed}>
        {(choice) => (
          <>
            {item_id === '' ? (
              <p class="help">Choose a post to see why it is on the page or not.</p>
            ) : (
              <WhyNot feed={choice} user_id={viewer.value} item_id={item_id} />
            )}
            <h2 class="page-title">The page</h2>
            <PageFor feed={choice} />
          </>
        )}
      </Loaded>
    </>
  );
}
