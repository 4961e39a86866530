// A labelled slider that shows its value.

import { useId } from "preact/hooks";

interface Props {
  label: string;
  min: number;
  max: number;
  step?: number;
  value: number;
  /** The value in words. */
  text?: string;
  onChange: (value: number) => void;
}

export function Slider({ label, min, max, step = 1, value, text = String(value), onChange }: Props) {
  const id = useId();
  return (
    <div class="slider">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        disabled={max <= min}
        aria-valuetext={text}
        onInput={(event) => onChange(Number(event.currentTarget.value))}
      />
      <output for={id}>{text}</output>
    </div>
  );
}
