import type { Channel, ChannelPorts } from './channel.ts'
import { createDingtalkChannel, type DingtalkSettings } from './dingtalk/channel.ts'
import { createWechatChannel, type WechatSettings } from './wechat/channel.ts'

/** Settings of the channels; an empty secret means that the channel is off. */
export interface ChannelSettings {
  wechat: WechatSettings
  dingtalk: DingtalkSettings
}

/** Every platform that customers write from, set up or not. */
export function listChannels({ wechat, dingtalk }: ChannelSettings, ports: ChannelPorts): Channel[] {
  return [createWechatChannel(wechat, ports), createDingtalkChannel(dingtalk, ports)]
}
