import { useState } from 'preact/hooks';
import type { AlphaFeed } from '../../../../openapi/client/src/index.ts';
import { place, replaceQuery } from '../router.ts';
import { Button } from '../ui/button.tsx';
import { Form } from '../ui/form.tsx';
import { TextField } from '../ui/inputs.tsx';
import { Head } from '../ui/layout.tsx';
import { PicturesSwitch } from '../ui/picture.tsx';
import { type Resource, useAnswer } from '../ui/resource.ts';
import { Empty, Loaded } from '../ui/states.tsx';
import { Asset } from './wallets/asset.tsx';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Tokens and NFTs for a wallet, beside those that are popular: `#/wallets?wallet=0x…`. */
export function WalletsPage() {
  const wallet = place.value.query.get('wallet') ?? '';
  const popular = useAnswer('/{chain}/feed/popular', {});
  return (
    <>
      <Head title="Wallets">
        <PicturesSwitch />
      </Head>
      <AddressForm wallet={wallet} />
      <div class="sides">
        {ADDRESS.test(wallet) && <OwnAssets wallet_address={wallet} />}
        <Assets title="Popular" page={popular} />
      </div>
    </>
  );
}

function AddressForm({ wallet }: { wallet: string }) {
  const [typed, setTyped] = useState(wallet);
  const [error, setError] = useState<string>();
  return (
    <Form
      class="wallet-form"
      onSubmit={() => {
        const address = typed.trim();
        const is_allowed = address === '' || ADDRESS.test(address);
        setError(is_allowed ? undefined : 'An address is 0x and 40 digits from 0 to 9 and a to f.');
        if (is_allowed) replaceQuery({ wallet: address });
      }}
    >
      <TextField
        label="Address of a wallet"
        error={error}
        help="Without one, only what is popular is shown."
        type="search"
        value={typed}
        placeholder="0x…"
        onChange={setTyped}
      />
      <Button type="submit" kind="primary">
        Show
      </Button>
    </Form>
  );
}

function OwnAssets({ wallet_address }: { wallet_address: string }) {
  const page = useAnswer('/{chain}/feed/for-you/{wallet_address}', { path: { wallet_address } });
  return <Assets title="For this wallet" page={page} />;
}

function Assets({ title, page }: { title: string; page: Resource<AlphaFeed> }) {
  return (
    <section aria-label={title} aria-busy={page.is_loading}>
      <h2>{title}</h2>
      <Loaded resource={page} lines={8}>
        {({ items, warnings }) => (
          <>
            {warnings && <p class="help">{warnings.join(' ')}</p>}
            {items.length === 0 && <Empty title="There are no tokens and NFTs yet" />}
            <ol class="posts">
              {items.map((item) => (
                <li key={item.itemId}>
                  <Asset item={item} />
                </li>
              ))}
            </ol>
          </>
        )}
      </Loaded>
    </section>
  );
}
