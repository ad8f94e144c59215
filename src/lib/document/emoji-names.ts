/** Common short names in `:name:` form with the code of their emoji. Other names stay text. */
const table = `
smile 1f604 | smiley 1f603 | grinning 1f600 | grin 1f601 | laughing 1f606 | joy 1f602 | rofl 1f923 | wink 1f609
blush 1f60a | slightly_smiling_face 1f642 | upside_down_face 1f643 | heart_eyes 1f60d | star_struck 1f929
kissing_heart 1f618 | yum 1f60b | sunglasses 1f60e | nerd_face 1f913 | thinking 1f914 | neutral_face 1f610
expressionless 1f611 | smirk 1f60f | unamused 1f612 | roll_eyes 1f644 | grimacing 1f62c | relieved 1f60c
sleeping 1f634 | mask 1f637 | exploding_head 1f92f | cowboy_hat_face 1f920 | partying_face 1f973 | confused 1f615
worried 1f61f | open_mouth 1f62e | flushed 1f633 | cry 1f622 | sob 1f62d | scream 1f631 | sweat_smile 1f605
tired_face 1f62b | angry 1f620 | rage 1f621 | innocent 1f607 | skull 1f480 | ghost 1f47b | alien 1f47d
robot 1f916 | poop 1f4a9 | see_no_evil 1f648 | hear_no_evil 1f649 | speak_no_evil 1f64a | heart 2764
orange_heart 1f9e1 | yellow_heart 1f49b | green_heart 1f49a | blue_heart 1f499 | purple_heart 1f49c
broken_heart 1f494 | sparkling_heart 1f496 | 100 1f4af | boom 1f4a5 | sweat_drops 1f4a6 | dash 1f4a8
speech_balloon 1f4ac | thought_balloon 1f4ad | zzz 1f4a4 | wave 1f44b | raised_hand 270b | ok_hand 1f44c
v 270c | crossed_fingers 1f91e | point_left 1f448 | point_right 1f449 | point_up_2 1f446 | point_down 1f447
point_up 261d | +1 1f44d | thumbsup 1f44d | -1 1f44e | thumbsdown 1f44e | fist 270a | punch 1f44a | clap 1f44f
raised_hands 1f64c | open_hands 1f450 | handshake 1f91d | pray 1f64f | writing_hand 270d | muscle 1f4aa
eyes 1f440 | brain 1f9e0 | baby 1f476 | boy 1f466 | girl 1f467 | man 1f468 | woman 1f469 | family 1f46a
technologist 1f9d1-200d-1f4bb | detective 1f575 | guard 1f482 | ninja 1f977 | construction_worker 1f477
shrug 1f937 | facepalm 1f926 | runner 1f3c3 | dog 1f436 | cat 1f431 | mouse 1f42d | fox_face 1f98a | bear 1f43b
panda_face 1f43c | koala 1f428 | tiger 1f42f | lion 1f981 | cow 1f42e | pig 1f437 | frog 1f438 | monkey 1f412
chicken 1f414 | penguin 1f427 | bird 1f426 | eagle 1f985 | owl 1f989 | wolf 1f43a | horse 1f434 | unicorn 1f984
bee 1f41d | bug 1f41b | butterfly 1f98b | snail 1f40c | ant 1f41c | spider 1f577 | turtle 1f422 | snake 1f40d
octopus 1f419 | crab 1f980 | fish 1f41f | dolphin 1f42c | whale 1f433 | shark 1f988 | crocodile 1f40a
elephant 1f418 | gorilla 1f98d | camel 1f42b | rabbit 1f430 | dragon 1f409 | paw_prints 1f43e | bouquet 1f490
rose 1f339 | sunflower 1f33b | tulip 1f337 | seedling 1f331 | evergreen_tree 1f332 | deciduous_tree 1f333
palm_tree 1f334 | cactus 1f335 | herb 1f33f | four_leaf_clover 1f340 | maple_leaf 1f341 | mushroom 1f344
apple 1f34e | lemon 1f34b | banana 1f34c | watermelon 1f349 | grapes 1f347 | strawberry 1f353 | cherries 1f352
pizza 1f355 | hamburger 1f354 | fries 1f35f | taco 1f32e | popcorn 1f37f | cake 1f370 | birthday 1f382
cookie 1f36a | doughnut 1f369 | coffee 2615 | tea 1f375 | beer 1f37a | beers 1f37b | wine_glass 1f377
cocktail 1f378 | champagne 1f37e | earth_africa 1f30d | earth_americas 1f30e | earth_asia 1f30f
globe_with_meridians 1f310 | world_map 1f5fa | compass 1f9ed | mountain 26f0 | house 1f3e0 | office 1f3e2
hospital 1f3e5 | bank 1f3e6 | school 1f3eb | factory 1f3ed | classical_building 1f3db | bricks 1f9f1
building_construction 1f3d7 | rocket 1f680 | airplane 2708 | helicopter 1f681 | train 1f686 | bus 1f68c
car 1f697 | red_car 1f697 | taxi 1f695 | truck 1f69a | bike 1f6b2 | ship 1f6a2 | boat 26f5 | anchor 2693
fuelpump 26fd | traffic_light 1f6a5 | vertical_traffic_light 1f6a6 | construction 1f6a7 | rotating_light 1f6a8
stop_sign 1f6d1 | watch 231a | alarm_clock 23f0 | stopwatch 23f1 | timer_clock 23f2 | hourglass 231b
hourglass_flowing_sand 23f3 | sunny 2600 | cloud 2601 | partly_sunny 26c5 | zap 26a1 | snowflake 2744
snowman 26c4 | rainbow 1f308 | umbrella 2614 | droplet 1f4a7 | ocean 1f30a | fire 1f525 | star 2b50
star2 1f31f | sparkles 2728 | dizzy 1f4ab | sun_with_face 1f31e | full_moon 1f315 | crescent_moon 1f319
jack_o_lantern 1f383 | christmas_tree 1f384 | fireworks 1f386 | balloon 1f388 | tada 1f389 | confetti_ball 1f38a
gift 1f381 | ribbon 1f380 | ticket 1f3ab | trophy 1f3c6 | medal_sports 1f3c5 | 1st_place_medal 1f947
2nd_place_medal 1f948 | 3rd_place_medal 1f949 | soccer 26bd | basketball 1f3c0 | dart 1f3af | video_game 1f3ae
game_die 1f3b2 | jigsaw 1f9e9 | art 1f3a8 | thread 1f9f5 | musical_note 1f3b5 | headphones 1f3a7
microphone 1f3a4 | guitar 1f3b8 | iphone 1f4f1 | phone 260e | telephone_receiver 1f4de | battery 1f50b
electric_plug 1f50c | computer 1f4bb | desktop_computer 1f5a5 | printer 1f5a8 | keyboard 2328
computer_mouse 1f5b1 | minidisc 1f4bd | floppy_disk 1f4be | cd 1f4bf | dvd 1f4c0 | camera 1f4f7
video_camera 1f4f9 | movie_camera 1f3a5 | tv 1f4fa | mag 1f50d | mag_right 1f50e | candle 1f56f | bulb 1f4a1
flashlight 1f526 | notebook 1f4d3 | notebook_with_decorative_cover 1f4d4 | closed_book 1f4d5 | book 1f4d6
open_book 1f4d6 | green_book 1f4d7 | blue_book 1f4d8 | orange_book 1f4d9 | books 1f4da | scroll 1f4dc
page_facing_up 1f4c4 | page_with_curl 1f4c3 | newspaper 1f4f0 | bookmark_tabs 1f4d1 | bookmark 1f516
label 1f3f7 | moneybag 1f4b0 | dollar 1f4b5 | euro 1f4b6 | credit_card 1f4b3 | receipt 1f9fe | gem 1f48e
envelope 2709 | email 1f4e7 | e-mail 1f4e7 | incoming_envelope 1f4e8 | inbox_tray 1f4e5 | outbox_tray 1f4e4
package 1f4e6 | mailbox 1f4eb | ballot_box 1f5f3 | pencil 1f4dd | memo 1f4dd | pencil2 270f | pen 1f58a
paintbrush 1f58c | crayon 1f58d | briefcase 1f4bc | file_folder 1f4c1 | open_file_folder 1f4c2
card_index_dividers 1f5c2 | calendar 1f4c6 | date 1f4c5 | spiral_calendar 1f5d3 | spiral_notepad 1f5d2
card_index 1f4c7 | chart_with_upwards_trend 1f4c8 | chart_with_downwards_trend 1f4c9 | bar_chart 1f4ca
clipboard 1f4cb | pushpin 1f4cc | round_pushpin 1f4cd | paperclip 1f4ce | link 1f517 | straight_ruler 1f4cf
triangular_ruler 1f4d0 | scissors 2702 | file_cabinet 1f5c4 | wastebasket 1f5d1 | lock 1f512 | unlock 1f513
closed_lock_with_key 1f510 | lock_with_ink_pen 1f50f | key 1f511 | old_key 1f5dd | hammer 1f528 | axe 1fa93
pick 26cf | hammer_and_pick 2692 | hammer_and_wrench 1f6e0 | wrench 1f527 | screwdriver 1fa9b
nut_and_bolt 1f529 | gear 2699 | balance_scale 2696 | chains 26d3 | toolbox 1f9f0 | magnet 1f9f2
test_tube 1f9ea | alembic 2697 | microscope 1f52c | telescope 1f52d | satellite 1f4e1 | syringe 1f489 | pill 1f48a
door 1f6aa | bed 1f6cf | broom 1f9f9 | shield 1f6e1 | crown 1f451 | tophat 1f3a9 | mortar_board 1f393
loudspeaker 1f4e2 | mega 1f4e3 | bell 1f514 | no_bell 1f515 | warning 26a0 | no_entry 26d4 | no_entry_sign 1f6ab
x 274c | o 2b55 | negative_squared_cross_mark 274e | white_check_mark 2705 | heavy_check_mark 2714
ballot_box_with_check 2611 | heavy_multiplication_x 2716 | heavy_plus_sign 2795 | heavy_minus_sign 2796
question 2753 | grey_question 2754 | exclamation 2757 | heavy_exclamation_mark 2757 | grey_exclamation 2755
bangbang 203c | interrobang 2049 | recycle 267b | trident 1f531 | beginner 1f530 | copyright a9 | registered ae
tm 2122 | information_source 2139 | id 1f194 | new 1f195 | free 1f193 | up 1f199 | cool 1f192 | ok 1f197
sos 1f198 | underage 1f51e | arrow_up 2b06 | arrow_down 2b07 | arrow_left 2b05 | arrow_right 27a1
arrow_upper_right 2197 | arrow_lower_right 2198 | leftwards_arrow_with_hook 21a9 | arrow_right_hook 21aa
arrows_counterclockwise 1f504 | arrows_clockwise 1f503 | back 1f519 | end 1f51a | on 1f51b | soon 1f51c
top 1f51d | repeat 1f501 | arrow_forward 25b6 | pause_button 23f8 | stop_button 23f9 | fast_forward 23e9
rewind 23ea | red_circle 1f534 | orange_circle 1f7e0 | yellow_circle 1f7e1 | green_circle 1f7e2
large_blue_circle 1f535 | blue_circle 1f535 | purple_circle 1f7e3 | white_circle 26aa | black_circle 26ab
red_square 1f7e5 | green_square 1f7e9 | small_blue_diamond 1f539 | small_orange_diamond 1f538
large_blue_diamond 1f537 | triangular_flag_on_post 1f6a9 | checkered_flag 1f3c1 | rainbow_flag 1f3f3-200d-1f308
`;

export const emojiNames: ReadonlyMap<string, string> = new Map(
  table
    .trim()
    .split(/ \| |\n/)
    .map((entry) => entry.split(' ') as [string, string]), // every entry is "name code"
);
