/** How much the organization is used. docs/statistics.md says what is counted. */
import { createMemo, createSignal, createUniqueId, For, Show } from "solid-js";
import { getStatistics, getStorageStatistics } from "../../../api/administration/statistics.ts";
import { writeNumber } from "../../i18n/intl.ts";
import { language, t } from "../../i18n/t.ts";
import { channelName, nameOf } from "../../shared/text/names.ts";
import { sizeText } from "../../shared/text/sizes.ts";
import { shortTime } from "../../shared/text/times.ts";
import { Select } from "../../ui/fields.tsx";
import { call, isOwner } from "../calls.ts";
import { createFetched, WhenFetched } from "../controls/fetched.tsx";
import { type Bucket, bucketsOf, type Day, lastOf, type Range, ranges, sumOf, topOf } from "./buckets.ts";
import { Chart } from "./chart.tsx";

const CHANNELS_SHOWN = 20;

const number = (value: number) => writeNumber(value, language());

export function Statistics() {
  const [range, setRange] = createSignal<Range>("days");
  const owns = isOwner();
  // The answer is drawn by the range that it was asked for.
  const fetched = createFetched(async () => {
    const asked = range();
    return { range: asked, ...(await call(getStatistics, { days: ranges[asked].days })) };
  }, range);
  return (
    <>
      <p class="about">{t("statistics.about")}</p>
      <div class="filters">
        <Select
          label={t("statistics.range")}
          value={range()}
          options={[
            { value: "days", label: t("statistics.days") },
            { value: "weeks", label: t("statistics.weeks") },
            { value: "months", label: t("statistics.months") },
          ]}
          onChange={setRange}
        />
      </div>
      <WhenFetched fetched={fetched}>
        {(answer) => (
          <>
            <p class="about" role="status">
              {counted(answer().counted_at)}
            </p>
            <Charts range={answer().range} days={answer().days} />
            <ChannelList channels={answer().channels} />
          </>
        )}
      </WhenFetched>
      <Show when={owns()}>
        <Storage />
      </Show>
    </>
  );
}

function counted(at: number | null): string {
  return at === null ? t("statistics.notCounted") : t("statistics.counted", { time: shortTime(at * 1000) });
}

/** For weeks and months, people count once in the time. */
const activeOf = {
  day: (day: Day) => day.active_people,
  week: (day: Day) => day.active_people_7_days,
  month: (day: Day) => day.active_people_28_days,
} as const;

function Charts(props: { range: Range; days: readonly Day[] }) {
  const joinedBy = () => ranges[props.range].joinedBy;
  const buckets = createMemo(() => bucketsOf(props.days, joinedBy()));
  const labels = () => buckets().map((bucket) => labelOf(bucket, joinedBy()));
  const sums = (figure: (day: Day) => number) => buckets().map((bucket) => sumOf(bucket, figure));
  const states = (figure: (day: Day) => number | null) => buckets().map((bucket) => lastOf(bucket, figure));
  return (
    <>
      <Chart
        title={t(joinedBy() === "month" ? "statistics.active28" : "statistics.active")}
        labels={labels()}
        series={[{ name: t("statistics.people"), values: states(activeOf[joinedBy()]) }]}
        write={number}
      />
      <Chart
        title={t("statistics.messages")}
        labels={labels()}
        series={[
          { name: t("statistics.public"), values: sums((day) => day.public_messages) },
          { name: t("statistics.private"), values: sums((day) => day.private_messages) },
          { name: t("statistics.direct"), values: sums((day) => day.direct_messages) },
        ]}
        write={number}
      />
      <Chart
        title={t("statistics.channels")}
        labels={labels()}
        series={[
          { name: t("statistics.public"), values: states((day) => day.public_channels) },
          { name: t("statistics.private"), values: states((day) => day.private_channels) },
          { name: t("statistics.archived"), values: states((day) => day.archived_channels) },
        ]}
        write={number}
      />
      <Chart
        title={t("statistics.storage")}
        labels={labels()}
        series={[{ name: t("statistics.storage"), values: states((day) => day.upload_bytes) }]}
        write={sizeText}
      />
    </>
  );
}

/** Days are those of UTC, as they were counted. */
function labelOf({ from, to }: Bucket, joinedBy: "day" | "week" | "month"): string {
  const write = (day: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language(), { ...options, timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));
  if (joinedBy === "month") return write(from, { month: "short", year: "numeric" });
  const ofDay = (day: string) => write(day, { day: "numeric", month: "short" });
  return joinedBy === "day" ? ofDay(from) : `${ofDay(from)} – ${ofDay(to)}`;
}

function ChannelList(props: { channels: readonly { stream_id: number; messages: number }[] }) {
  const list = () => topOf(props.channels, CHANNELS_SHOWN, ({ messages }) => messages);
  return (
    <ShareList
      title={t("statistics.byChannel")}
      heads={[t("statistics.channel"), t("statistics.messages")]}
      rows={list().top.map((one) => ({ name: channelName(one.stream_id), text: number(one.messages) }))}
      rest={
        list().others > 0
          ? { name: t("statistics.others", { count: list().others }), text: number(list().rest) }
          : undefined
      }
    />
  );
}

/** Whose files they are is for owners alone. */
function Storage() {
  const fetched = createFetched(() => call(getStorageStatistics, {}));
  return (
    <WhenFetched fetched={fetched}>
      {(answer) => (
        <>
          <ShareList
            title={t("statistics.storageByChannel")}
            heads={[t("statistics.channel"), t("statistics.storage")]}
            rows={answer().channels.map((one) => ({
              name: channelName(one.stream_id),
              text: sizeText(one.bytes),
            }))}
            rest={restOf("statistics.others", answer().other_channels)}
          />
          <ShareList
            title={t("statistics.storageByPerson")}
            heads={[t("statistics.person"), t("statistics.storage")]}
            rows={answer().people.map((one) => ({ name: nameOf(one.user_id), text: sizeText(one.bytes) }))}
            rest={restOf("statistics.otherPeople", answer().other_people)}
          />
        </>
      )}
    </WhenFetched>
  );
}

interface ShareRow {
  name: string;
  text: string;
}

function restOf(
  key: "statistics.others" | "statistics.otherPeople",
  { count, bytes }: { count: number; bytes: number },
): ShareRow | undefined {
  return count > 0 ? { name: t(key, { count }), text: sizeText(bytes) } : undefined;
}

function ShareList(props: {
  title: string;
  heads: readonly [string, string];
  rows: readonly ShareRow[];
  rest: ShareRow | undefined;
}) {
  const id = createUniqueId();
  return (
    <section class="statistic" aria-labelledby={id}>
      <h3 id={id}>{props.title}</h3>
      <Show when={props.rows.length > 0} fallback={<p class="nothing">{t("statistics.nothing")}</p>}>
        <table>
          <thead>
            <tr>
              <For each={props.heads}>{(head) => <th scope="col">{head}</th>}</For>
            </tr>
          </thead>
          <tbody>
            <For each={props.rest ? [...props.rows, props.rest] : props.rows}>
              {(row) => (
                <tr>
                  <th scope="row">
                    <bdi>{row.name}</bdi>
                  </th>
                  <td>{row.text}</td>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </Show>
    </section>
  );
}
