import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps {
  onClick?: () => void;
  /** Default: `plain`. */
  kind?: 'primary' | 'plain' | 'danger' | 'quiet';
  icon?: IconName;
  type?: 'button' | 'submit';
  disabled?: boolean;
  /** For a button that only shows an icon, and when the text does not say enough. */
  label?: string;
  /** State of a button that switches something on and off. */
  pressed?: boolean;
  class?: string;
  children?: ComponentChildren;
}

export function Button({
  kind = 'plain',
  icon,
  type = 'button',
  label,
  pressed,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      class={`button ${kind} ${children === undefined ? 'only-icon' : ''} ${rest.class ?? ''}`}
      aria-label={label}
      title={children === undefined ? label : undefined}
      aria-pressed={pressed}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

export function ButtonLink(props: {
  href: string;
  kind?: 'primary' | 'plain';
  icon?: IconName;
  /** Saves the target under this name instead of opening it. */
  download?: string;
  children: ComponentChildren;
}) {
  const { href, kind = 'plain', icon, download, children } = props;
  return (
    <a class={`button ${kind}`} href={href} download={download}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}
