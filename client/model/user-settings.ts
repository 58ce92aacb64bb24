import type { Setting, Subject } from "./subject.ts";
import type { WireObject } from "./wire.ts";

interface SettingEvent {
  property: string;
  value: unknown;
}
interface DisplaySettingEvent {
  setting_name: string;
  setting: unknown;
}
interface NotificationSettingEvent {
  notification_name: string;
  setting: unknown;
}

/** The viewer's own settings, and the defaults for new people, by the names of their declarations. */
export class UserSettings implements Subject {
  readonly keys: readonly string[];
  readonly #own: Record<string, unknown>;
  readonly #defaults: Record<string, unknown>;
  /** The copies for older clients, if the snapshot has them. */
  readonly #copies: Record<string, unknown>;
  readonly handlers = {
    user_settings: (event: SettingEvent) => this.handleSettingEvent(event),
    realm_user_settings_defaults: (event: SettingEvent) => this.handleDefaultEvent(event),
    update_display_settings: (event: DisplaySettingEvent) => this.handleDisplaySettingEvent(event),
    update_global_notifications: (event: NotificationSettingEvent) =>
      this.handleNotificationSettingEvent(event),
  };

  private constructor(own: WireObject, defaults: WireObject, copies: WireObject) {
    this.#own = { ...own };
    this.#defaults = { ...defaults };
    this.#copies = { ...copies };
    this.keys = ["user_settings", "realm_user_settings_defaults", ...Object.keys(copies)];
  }

  static fromSnapshot(snapshot: WireObject): UserSettings {
    const own = (snapshot.user_settings ?? {}) as WireObject;
    const defaults = (snapshot.realm_user_settings_defaults ?? {}) as WireObject;
    const copied = Object.keys(own).filter((name) => name in snapshot);
    return new UserSettings(own, defaults, Object.fromEntries(copied.map((name) => [name, snapshot[name]])));
  }

  get<V>(setting: Setting<V>): V {
    return (Object.hasOwn(this.#own, setting.name) ? this.#own[setting.name] : setting.default) as V;
  }

  /** The default for people who join. */
  getDefault<V>(setting: Setting<V>): V {
    const defaults = this.#defaults;
    return (Object.hasOwn(defaults, setting.name) ? defaults[setting.name] : setting.default) as V;
  }

  handleSettingEvent({ property, value }: SettingEvent): void {
    this.#own[property] = value;
  }

  handleDefaultEvent({ property, value }: SettingEvent): void {
    this.#defaults[property] = value;
  }

  handleDisplaySettingEvent({ setting_name, setting }: DisplaySettingEvent): void {
    if (Object.hasOwn(this.#copies, setting_name)) this.#copies[setting_name] = setting;
  }

  handleNotificationSettingEvent({ notification_name, setting }: NotificationSettingEvent): void {
    if (Object.hasOwn(this.#copies, notification_name)) this.#copies[notification_name] = setting;
  }

  comparable(): unknown {
    return { own: this.#own, defaults: this.#defaults, copies: this.#copies };
  }
}
