import type { ComponentChildren } from 'preact';

/** A form that the page handles, so the browser sends nothing. */
export function Form({
  onSubmit,
  ...rest
}: {
  class?: string;
  onSubmit: () => unknown;
  children: ComponentChildren;
}) {
  return (
    <form
      {...rest}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}
