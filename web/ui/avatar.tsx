import { Show } from "solid-js";
import type { User } from "../../client/model/users.ts";

/** A picture of the server's own, or the initials. Pictures of other hosts are not asked for. */
export function Avatar(props: { user: User | undefined }) {
  const picture = () => {
    const url = props.user?.avatarUrl;
    return url?.startsWith("/") && !url.startsWith("//") ? url : undefined;
  };
  return (
    <span class="avatar" style={{ "--h": hueOf(props.user?.id ?? 0) }} aria-hidden="true">
      <Show when={picture()} fallback={initialsOf(props.user?.fullName ?? "?")}>
        {(url) => <img src={url()} alt="" width="34" height="34" loading="lazy" />}
      </Show>
    </span>
  );
}

export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const last = words.length > 1 ? (words.at(-1) ?? "") : "";
  return [words[0] ?? "", last]
    .map((word) => [...word][0] ?? "")
    .join("")
    .toLocaleUpperCase();
}

/** Neighbouring ids are far apart on the circle. */
export function hueOf(id: number): number {
  return Math.round((id * 137.508) % 360);
}
