// A row of buttons as one stop of the Tab key: the arrow keys go along it.

export function goAlong(event: KeyboardEvent): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  event.stopPropagation();
  const buttons = [...(event.currentTarget as Element).querySelectorAll("button")];
  buttons[buttons.indexOf(event.target as HTMLButtonElement) + step]?.focus();
}
